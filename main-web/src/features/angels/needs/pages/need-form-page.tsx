import { useSearchParams } from "react-router-dom";
import { Card } from "@/components/ui/card";
import { PageHead } from "@/components/layout/page-head";
import { PageHeader } from "@/components/ui/page-header";
import styles from "../../components/angels.module.css";
import { NeedRequest } from "../components/need-request";

/** Posts a need; the URL may preselect `service` and `angel`, and say what is needed (`title`). */
export function NeedFormPage() {
  const [params] = useSearchParams();
  const angel = params.get("angel");
  return (
    <PageHead title="Post a need" description="Tell us what you need and get offers from neighbors.">
      <div className={`container ${styles.page} ${styles.narrow}`}>
        <PageHeader
          title={angel ? "Ask for help" : "Post a need"}
          lead={
            angel
              ? "Only the angel you chose will see this."
              : "Tell us what you need. Nearby angels will send offers, and you pick one."
          }
        />
        <Card>
          <NeedRequest
            service={params.get("service") ?? ""}
            category={params.get("category") ?? ""}
            title={params.get("title") ?? ""}
            angel={angel}
          />
        </Card>
      </div>
    </PageHead>
  );
}
