import { Sparkles } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import styles from "./angels.module.css";
import { dollars } from "./formats";
import type { AngelService } from "./get-angels";
import type { NeedValues } from "./need-schema";
import { placePayload } from "./place-field";
import { useProposal, type Proposal } from "./post-proposal";

const PAUSE = 600; // milliseconds without typing before words are looked at

function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

type ProposalCardProps = {
  values: NeedValues;
  services: readonly AngelService[];
  /** Whether the kind of help was chosen already; then only the price is proposed. */
  chosenByHand: boolean;
  onService: (id: string) => void;
  onBudget: (cents: number) => void;
};

/** What the words speak of, and what is fairly paid for it here. */
export function ProposalCard({ values, services, chosenByHand, onService, onBudget }: ProposalCardProps) {
  const words = useSettled(`${values.title}\n${values.description}`.trim());
  const where = useSettled(values.place);
  const known = chosenByHand ? values.service : "";
  const asked =
    known || words.length >= 10
      ? {
          description: words.slice(0, 2000),
          hours: Number(values.hours),
          ...(known && { serviceId: known }),
          ...(where.text.trim().length > 2 && { place: placePayload(where) }),
        }
      : null;
  const { data } = useProposal(asked);
  const proposed = asked && data ? services.find(({ id }) => id === data.serviceId) : undefined;

  const guessed = !chosenByHand && data?.sure && proposed ? proposed.id : null;
  useEffect(() => {
    if (guessed && guessed !== values.service) onService(guessed);
  }, [guessed, values.service, onService]);

  if (!proposed || !data) return null;
  const { lowCents, highCents, lowRateCents, highRateCents } = data;
  const hours = `${values.hours} ${values.hours === "1" ? "hour" : "hours"}`;
  return (
    <Card className={styles.proposal} role="status" aria-label="Our proposal">
      <p className={styles.person}>
        <Sparkles size={18} aria-hidden="true" />
        <span>
          {chosenByHand ? proposed.title : <>This sounds like {proposed.title}.</>}
          {!chosenByHand && values.service !== proposed.id && (
            <>
              {" "}
              <Button variant="ghost" size="sm" onClick={() => onService(proposed.id)}>
                Choose it
              </Button>
            </>
          )}
        </span>
      </p>
      {lowCents !== null && highCents !== null && lowRateCents !== null && highRateCents !== null ? (
        <>
          <p>
            A fair price for {hours}: <strong>{range(lowCents, highCents)}</strong>
          </p>
          <p className={styles.hint}>
            {range(lowRateCents, highRateCents)} an hour, by {grounds(data)}
            {data.nearby ? " near you." : "."}
          </p>
          <div>
            <Button variant="secondary" size="sm" onClick={() => onBudget(highCents)}>
              Use {dollars(highCents)} as my budget
            </Button>
          </div>
        </>
      ) : (
        <p className={styles.hint}>Nobody helps with this yet, so there is no price to go by.</p>
      )}
    </Card>
  );
}

/** What a price rests on. Of jobs that were paid there are several, always: nobody's own price is told. */
function grounds({ angels, jobs }: Proposal): string {
  const asked = `what ${angels} ${angels === 1 ? "angel asks" : "angels ask"}`;
  const paid = `what was paid for ${jobs} jobs`;
  return angels === 0 ? paid : jobs === 0 ? asked : `${asked} and ${paid}`;
}

function range(low: number, high: number): string {
  return low === high ? dollars(low) : `${dollars(low)}–${dollars(high)}`;
}
