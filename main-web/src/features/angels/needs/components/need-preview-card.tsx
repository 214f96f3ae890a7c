import { Sparkles } from "lucide-react";
import { useEffect } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useDebounced } from "@/lib/use-debounced";
import styles from "../../components/angels.module.css";
import type { AngelService } from "../../api/get-angels";
import type { NeedValues } from "../lib/need-schema";
import { locationPayload } from "../../components/location-field";
import { useNeedPreview, type NeedPreview } from "../api/preview-need";
import { formatMoney } from "@porchlight/shared/format/money";

const DEBOUNCE_MS = 600; // Milliseconds without typing until the preview is requested.

type ProposalCardProps = {
  values: NeedValues;
  services: readonly AngelService[];
  /** Whether the user already chose the service; then only the price is suggested. */
  isServiceChosen: boolean;
  onService: (id: string) => void;
  onBudget: (cents: number) => void;
};

/** The suggested service and fair price for a need. */
export function NeedPreviewCard({ values, services, isServiceChosen, onService, onBudget }: ProposalCardProps) {
  const text = useDebounced(`${values.title}\n${values.description}`.trim(), DEBOUNCE_MS);
  const where = useDebounced(values.place, DEBOUNCE_MS);
  const knownService = isServiceChosen ? values.service : "";
  const input =
    knownService || text.length >= 10
      ? {
          description: text.slice(0, 2000),
          hours: Number(values.hours),
          ...(knownService && { serviceId: knownService }),
          ...(where.text.trim().length > 2 && { place: locationPayload(where) }),
        }
      : null;
  const { data } = useNeedPreview(input);
  const proposed = input && data ? services.find(({ id }) => id === data.serviceId) : undefined;

  const guessed = !isServiceChosen && data?.sure && proposed ? proposed.id : null;
  useEffect(() => {
    if (guessed && guessed !== values.service) onService(guessed);
  }, [guessed, values.service, onService]);

  if (!proposed || !data) return null;
  const { lowCents, highCents, lowRateCents, highRateCents } = data;
  const hours = `${values.hours} ${values.hours === "1" ? "hour" : "hours"}`;
  return (
    <Card className={styles.proposal} role="status" aria-label="Suggested price">
      <p className={styles.person}>
        <Sparkles size={18} aria-hidden="true" />
        <span>
          {isServiceChosen ? proposed.title : <>This sounds like {proposed.title}.</>}
          {!isServiceChosen && values.service !== proposed.id && (
            <>
              {" "}
              <Button variant="ghost" size="sm" onClick={() => onService(proposed.id)}>
                Use this
              </Button>
            </>
          )}
        </span>
      </p>
      {lowCents !== null && highCents !== null && lowRateCents !== null && highRateCents !== null ? (
        <>
          <p>
            Typical price for {hours}: <strong>{range(lowCents, highCents)}</strong>
          </p>
          <p className={styles.hint}>
            {range(lowRateCents, highRateCents)}/hr, based on {priceBasis(data)}
            {data.nearby ? " near you." : "."}
          </p>
          <div>
            <Button variant="secondary" size="sm" onClick={() => onBudget(middle(lowCents, highCents))}>
              Use {formatMoney(middle(lowCents, highCents))} as my budget
            </Button>
          </div>
        </>
      ) : (
        <p className={styles.hint}>No one offers this yet, so we can't suggest a price.</p>
      )}
    </Card>
  );
}

/**
 * Describe what the price is based on. Paid jobs are counted only when there are several, so that no single price is
 * revealed.
 */
function priceBasis({ angels, jobs }: NeedPreview): string {
  const input = `${angels} ${angels === 1 ? "angel's rate" : "angels' rates"}`;
  const paid = `${jobs} completed jobs`;
  return angels === 0 ? paid : jobs === 0 ? input : `${input} and ${paid}`;
}

/** The middle of a price range as a person would say it: in whole 5 dollars, where the range has one. */
function middle(low: number, high: number): number {
  const round = Math.round((low + high) / 2 / 500) * 500;
  return round >= low && round <= high ? round : Math.round((low + high) / 200) * 100;
}

function range(low: number, high: number): string {
  return low === high ? formatMoney(low) : `${formatMoney(low)}–${formatMoney(high)}`;
}
