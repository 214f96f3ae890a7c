import { CalendarX } from "lucide-react";
import { Link, Navigate, useLocation, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { PageHead } from "@/components/layout/page-head";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/state";
import { useFlag } from "@/lib/feature-flags";
import type { LoginState } from "@/lib/login-redirect";
import { useSession } from "@/lib/session/session-context";
import styles from "../components/book-page.module.css";
import { ChooseTime } from "../components/choose-time";

const MAX_PARTY = 10;

/** Keeps a time for a signed-in user, where a guru's site keeps no more times for visitors. */
export function KeepTimePage() {
  const session = useSession();
  const location = useLocation();
  const [search] = useSearchParams();
  const isOn = useFlag("booking");
  const guruLabel = search.get("guru") ?? "";
  const serviceId = search.get("service") ?? "";
  const party = Number(search.get("party") ?? "1");
  if (!isOn) return <Navigate to={paths.dashboard} replace />;
  if (session.status !== "signed-in") {
    const state: LoginState = {
      from: location.pathname + location.search,
      message: "Please sign in to book a session.",
    };
    return <Navigate to={paths.login} replace state={state} />;
  }
  const isValid = guruLabel !== "" && serviceId !== "" && party >= 1 && party <= MAX_PARTY;
  return (
    <PageHead title="Choose a time" description="Choose a time for a session with a guru on Porchlight.">
      <div className={`container ${styles.page}`}>
        <h1>Book a session</h1>
        {isValid ? (
          <ChooseTime wanted={{ guruLabel, serviceId, startsAt: search.get("start") ?? "", party }} />
        ) : (
          <EmptyState
            icon={CalendarX}
            title="This link is incomplete"
            action={
              <Button asChild variant="secondary">
                <Link to={paths.home}>Find a guru</Link>
              </Button>
            }
          >
            Please choose a time on the guru's site again.
          </EmptyState>
        )}
      </div>
    </PageHead>
  );
}
