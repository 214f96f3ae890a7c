import { useEffect, useState, type ReactNode } from "react";
import { Link, useLocation, useSearchParams } from "react-router-dom";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Notice } from "@/components/ui/notice";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { MATCHES_ADDRESS, MATCHES_KEY, useMatches } from "@/features/skills/contract";
import { billingQuery } from "../api/get-billing";
import styles from "./checkout-result.module.css";

/** The result that Stripe's Checkout adds to the page that it leads back to. */
export const RESULT = "checkout";
const POLL_INTERVAL_MS = 1500;

/** Tell buyers, on the page they return to, whether the purchase is confirmed (MONEY 6). */
export function CheckoutResult() {
  const [search, setSearch] = useSearchParams();
  const given = search.get(RESULT);
  const [result, setResult] = useState(given);
  if (given !== null && given !== result) setResult(given);

  // The address loses the result, so that a reload or a bookmark doesn't repeat it.
  useEffect(() => {
    if (given === null) return;
    setSearch(
      (now) => {
        now.delete(RESULT);
        now.delete("session_id");
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [given, setSearch]);

  if (result === "canceled") return <Shown>No charge was made.</Shown>;
  return result === "success" ? <Confirmation /> : null;
}

function Confirmation() {
  const uid = useCurrentUserId();
  const canListSkills = useFlag("skillListing");
  const cameForMatches = useLocation().pathname === paths.skills;
  const queries = useQueryClient();
  const billing = useQuery({
    ...billingQuery(uid || null),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.subscription?.state === "active" ? false : POLL_INTERVAL_MS),
  });
  const subscription = billing.data?.subscription;
  const isActive = subscription?.state === "active";
  // The plan shows more of them than the page has loaded.
  useEffect(() => {
    if (isActive) void queries.invalidateQueries({ queryKey: MATCHES_KEY });
  }, [isActive, queries]);
  if (!isActive) {
    return <Shown>Waiting for Stripe to confirm. This page will update.</Shown>;
  }
  return (
    <Shown tone="success">
      You're a {subscription.planName}.{" "}
      {cameForMatches ? (
        <MatchesLink userId={uid} />
      ) : (
        canListSkills && <Link to={paths.mySkills}>Add your first priced offer.</Link>
      )}
    </Shown>
  );
}

/** What the buyer came for: the matches, with their number once it is known. */
function MatchesLink({ userId }: { userId: string }) {
  const { data } = useMatches(userId || null);
  const count = data ? data.matches.length + data.moreMatches : 0;
  const what = count === 0 ? "your matches" : count === 1 ? "your match" : `your ${count} matches`;
  return <Link to={MATCHES_ADDRESS}>See {what}.</Link>;
}

function Shown({ tone = "info", children }: { tone?: "info" | "success"; children: ReactNode }) {
  return (
    <div className={`container ${styles.result}`}>
      <Notice tone={tone}>
        <p>{children}</p>
      </Notice>
    </div>
  );
}
