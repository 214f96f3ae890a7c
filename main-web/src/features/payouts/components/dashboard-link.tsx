import { ExternalLink } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useCreateExpressLogin } from "../api/create-express-login";
import styles from "./payouts.module.css";

/** The button that opens Stripe's dashboard in a new tab (SPEC 2.15). */
export function DashboardLink() {
  const login = useCreateExpressLogin();
  return (
    <>
      {login.isError && <Notice tone="danger">Could not open the Stripe dashboard. Please try again.</Notice>}
      <div className={styles.foot}>
        <Button variant="secondary" loading={login.isPending} onClick={() => login.mutate()}>
          Open Stripe dashboard
          <span className="visually-hidden"> (opens in a new tab)</span>
          <ExternalLink size={15} aria-hidden="true" />
        </Button>
      </div>
    </>
  );
}
