import { LayoutDashboard } from "lucide-react";
import type { ComponentType } from "react";
import { useFlag } from "../../kit/flags";
import { useSession } from "../../kit/session/session-context";
import { Notice } from "../../ui/notice";
import { Placeholder } from "../../ui/placeholder";
import styles from "./dashboard-page.module.css";
import { Home } from "./dashboard-home";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** A neighbour's own page, with the cards that features bring; SPEC's placeholder while bookings are off. */
export function DashboardPage({ cards }: { cards: readonly ComponentType[] }) {
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
        <Home cards={cards} />
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
        text="Soon your sessions, messages and matches will meet you here."
      />
    </>
  );
}
