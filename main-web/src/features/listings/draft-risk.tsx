import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../../kit/api";
import { Badge } from "../../ui/badge";
import { RiskMark, RiskReasons, type Risk } from "../../ui/risk-mark";
import type { Listing } from "./get-listing";
import styles from "./listings.module.css";

const PAUSE = 600; // milliseconds without typing before words are looked at
const MOST = 2000;

/** How risky a listing looks while it is written, and why; nothing of it is kept. */
function useDraftRisk({ title, details, risk }: Listing, written: string) {
  const [settled, setSettled] = useState(written);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(written), PAUSE);
    return () => clearTimeout(timer);
  }, [written]);
  const body = { title, details: settled.trim().slice(0, MOST) };
  const changed = body.details !== details;
  const { data } = useQuery({
    queryKey: ["listing-risk", body],
    queryFn: ({ signal }) => api.post<Risk>("/skills/listing-risks", { body, signal }),
    enabled: changed,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  return changed && data ? data : risk;
}

export function DraftRisk({ listing, written }: { listing: Listing; written: string }) {
  const risk = useDraftRisk(listing, written);
  return (
    <div role="status" className={styles.risk} aria-label="Risk">
      <p className={styles.riskHead}>
        <span className={styles.soft}>What others see of its risk</span>
        {risk.rating === "low" ? <Badge tone="green">Low Risk</Badge> : <RiskMark risk={risk} />}
      </p>
      <RiskReasons risk={risk} />
    </div>
  );
}
