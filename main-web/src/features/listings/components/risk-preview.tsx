import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useDebounced } from "@/lib/use-debounced";
import { OwnRiskBadge, RiskReasons } from "@/components/ui/risk-badge";
import type { Listing } from "../api/get-listing";
import styles from "./listings.module.css";

const DEBOUNCE_MS = 600; // Milliseconds without typing until the risk is requested.
const MAX_TEXT_LENGTH = 2000;

/** Preview the risk rating of a draft; nothing is stored. */
function useRiskPreview({ title, details, risk }: Listing, text: string) {
  const body = { title, details: useDebounced(text, DEBOUNCE_MS).trim().slice(0, MAX_TEXT_LENGTH) };
  const changed = body.details !== details;
  const { data } = useQuery({
    queryKey: ["listing-risk", body],
    queryFn: ({ signal }) => api.POST("/skills/listing-risks", { body, signal }),
    enabled: changed,
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  return changed && data ? data : risk;
}

export function RiskPreview({ listing, text }: { listing: Listing; text: string }) {
  const risk = useRiskPreview(listing, text);
  return (
    <div role="status" className={styles.risk} aria-label="Risk">
      <p className={styles.riskHead}>
        <span className={styles.soft}>
          {risk.requiresWaiver ? "Risk level others see" : "Risk level, shown only to you"}
        </span>
        <OwnRiskBadge risk={risk} />
      </p>
      <RiskReasons risk={risk} />
    </div>
  );
}
