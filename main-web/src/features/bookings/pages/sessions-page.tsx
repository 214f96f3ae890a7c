import { Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { ExchangeList, useHasExchanges } from "@/features/exchanges/contract";
import { PageHead } from "@/components/layout/page-head";
import { Tabs } from "@/components/ui/tabs";
import { OwnPackages } from "../components/own-packages";
import { SessionList } from "../components/session-list";
import { SessionsOff } from "../components/sessions-off";
import { SubscribeButton } from "../components/subscribe-button";
import { SpotOfferNotices } from "../components/spot-offer-notices";
import { WaitingTab } from "../components/waiting-tab";
import styles from "../components/sessions.module.css";

const TABS = ["upcoming", "waiting", "past"] as const;

/** The signed-in user's sessions in tabs. The tab is in the URL. */
export function SessionsPage() {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((name) => name === params.get("tab")) ?? "upcoming";
  const has = useHasExchanges();
  if (!useFlag("booking")) return <SessionsOff />;
  return (
    <PageHead title="Sessions" description="Your booked sessions, waitlists, requests and past sessions.">
      <div className={`container ${styles.page}`}>
        <header>
          <h1 className={styles.title}>Sessions</h1>
          <p className={styles.lead}>
            <span>Your sessions, requests and waitlists.</span>
            <Link className="tap-link" to={paths.waivers}>
              Your waivers
            </Link>
            <Link className="tap-link" to={paths.hours}>
              Your hours
            </Link>
            <Link className="tap-link" to={paths.orders}>
              Your orders
            </Link>
          </p>
          <div className={styles.subscribe}>
            <SubscribeButton kind="personal" />
          </div>
        </header>
        <SpotOfferNotices showsError={tab !== "waiting"} />
        <OwnPackages />
        <Tabs
          label="Sessions"
          value={tab}
          onValueChange={(value) => setParams(value === "upcoming" ? {} : { tab: value }, { preventScrollReset: true })}
          tabs={[
            {
              value: "upcoming",
              label: "Upcoming",
              content: (
                <div className={styles.list}>
                  <ExchangeList when="upcoming" label="Upcoming sessions with neighbors" />
                  <SessionList when="upcoming" label="Upcoming sessions" hidesEmpty={has("upcoming")} />
                </div>
              ),
            },
            { value: "waiting", label: "Waiting", content: <WaitingTab hasMore={has("waiting")} /> },
            {
              value: "past",
              label: "Past",
              content: (
                <div className={styles.list}>
                  <ExchangeList when="past" label="Past sessions with neighbors" />
                  <SessionList when="past" label="Past sessions" hidesEmpty={has("past")} />
                </div>
              ),
            },
          ]}
        />
      </div>
    </PageHead>
  );
}
