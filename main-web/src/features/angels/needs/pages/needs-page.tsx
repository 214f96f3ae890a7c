import { Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/layout/page-head";
import { PageHeader } from "@/components/ui/page-header";
import { Tabs } from "@/components/ui/tabs";
import styles from "../../components/angels.module.css";
import { NeedsBoard } from "../components/needs-board";
import { OwnNeeds } from "../components/own-needs";
import { OwnOffers } from "../components/own-offers";

const TABS = ["board", "own", "offers"] as const;

/** Needs of other users, the user's own needs, and their offers. */
export function NeedsPage() {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((name) => name === params.get("tab")) ?? "board";
  return (
    <PageHead title="Needs" description="Help your neighbors are looking for.">
      <div className={`container ${styles.page}`}>
        <PageHeader title="Needs" lead="Help your neighbors are looking for. It's free to browse and make offers.">
          <Button asChild>
            <Link to={paths.postNeed}>Post a need</Link>
          </Button>
        </PageHeader>
        <Tabs
          label="Needs"
          value={tab}
          onValueChange={(value) => setParams(value === "board" ? {} : { tab: value }, { preventScrollReset: true })}
          tabs={[
            { value: "board", label: "Near you", content: <NeedsBoard /> },
            { value: "own", label: "My needs", content: <OwnNeeds /> },
            { value: "offers", label: "My offers", content: <OwnOffers /> },
          ]}
        />
      </div>
    </PageHead>
  );
}
