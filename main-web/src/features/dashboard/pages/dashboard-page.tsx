import { LayoutDashboard } from "lucide-react";
import { useFlag } from "@/lib/feature-flags";
import { useSession } from "@/lib/session/session-context";
import { Notice } from "@/components/ui/notice";
import { Placeholder } from "@/components/layout/placeholder";
import styles from "./dashboard-page.module.css";
import { DashboardHome, type DashboardProps } from "../components/dashboard-home";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** The user's dashboard with the cards of the features; SPEC's placeholder while bookings are off. */
export function DashboardPage(props: DashboardProps) {
  const booking = useFlag("booking");
  const session = useSession();
  const isNew = session.status === "signed-in" && session.isNew;
  const welcome = isNew && (
    <div className={`container ${styles.welcome}`}>
      <Notice tone="success">{AUTH_TEXTS.accountCreatedVerify}</Notice>
    </div>
  );
  if (booking) {
    return (
      <>
        {welcome}
        <DashboardHome {...props} />
      </>
    );
  }
  return (
    <>
      {welcome}
      <Placeholder
        icon={LayoutDashboard}
        title="Dashboard Coming Soon"
        description="Your Porchlight dashboard."
        text="Your sessions, messages and matches will appear here soon."
      />
    </>
  );
}
