import { Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { PageHead } from "@/components/layout/page-head";
import { Tabs } from "@/components/ui/tabs";
import { SessionList } from "../components/session-list";
import { SessionsOff } from "../components/sessions-off";
import { SpotOfferNotices } from "../components/spot-offer-notices";
import { WaitingTab } from "../components/waiting-tab";
import styles from "../components/sessions.module.css";

const TABS = ["upcoming", "waiting", "past"] as const;

/** The signed-in user's sessions in tabs. The tab is in the URL. */
export function SessionsPage() {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((name) => name === params.get("tab")) ?? "upcoming";
  if (!useFlag("booking")) return <SessionsOff />;
  return (
    <PageHead title="Sessions" description="Your booked sessions, waitlists, requests and past sessions.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>Sessions</h1>
          <p className={styles.lead}>
            <span>What you've booked, and what you're still waiting for.</span>
            <Link className="tap-link" to={paths.waivers}>
              Your waivers
            </Link>
          </p>
        </header>
        <SpotOfferNotices showsError={tab !== "waiting"} />
        <Tabs
          label="Sessions"
          value={tab}
          onValueChange={(value) => setParams(value === "upcoming" ? {} : { tab: value }, { preventScrollReset: true })}
          tabs={[
            {
              value: "upcoming",
              label: "Upcoming",
              content: <SessionList when="upcoming" label="Upcoming sessions" />,
            },
            { value: "waiting", label: "Waiting", content: <WaitingTab /> },
            { value: "past", label: "Past", content: <SessionList when="past" label="Past sessions" /> },
          ]}
        />
      </div>
    </PageHead>
  );
}
