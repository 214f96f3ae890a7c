import { RefreshCw } from "lucide-react";
import { ProfileLink } from "@/components/profile-link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { MessageLink } from "@/features/messages/contract";
import { Notice } from "@/components/ui/notice";
import styles from "./matches-tab.module.css";
import { useRespondToRing } from "../api/respond-to-ring";
import { useSwapRings } from "../api/get-swap-rings";
import type { SwapRing, SwapRingMember } from "../lib/types";

/** Number of shared times shown. */
const MAX_TIMES = 3;

/** The user's swap rings; hidden if there are none. Errors do not affect the matches. */
export function SwapRings({ userId }: { userId: string | null }) {
  const rings = useSwapRings(userId);
  const respond = useRespondToRing(userId);
  if (!rings.data || rings.data.rings.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="swap-rings">
      <h2 id="swap-rings" className={styles.heading}>
        <RefreshCw size={20} aria-hidden="true" /> Three-way swaps
      </h2>
      <p className={styles.lead}>Three neighbors, three lessons, no money. Each of you teaches the next person.</p>
      {respond.isError && <Notice tone="danger">{respond.error.message}</Notice>}
      <ul className={styles.rings}>
        {rings.data.rings.map((ring) => (
          <RingCard
            key={ring.id}
            ring={ring}
            pending={respond.isPending && respond.variables.id === ring.id ? respond.variables.answer : null}
            off={respond.isPending}
            onAnswer={(response) => respond.mutate({ id: ring.id, answer: response })}
          />
        ))}
      </ul>
    </section>
  );
}

type RingCardProps = {
  ring: SwapRing;
  /** The user's answer to this ring while it is sent. */
  pending: string | null;
  /** Whether an answer to any ring is being sent. */
  off: boolean;
  onAnswer: (response: "accepted" | "declined") => void;
};

function RingCard({ ring, pending, off, onAnswer }: RingCardProps) {
  const ownResponse = ring.members.find((member) => member.you)?.answer ?? null;
  const waiting = ring.members.filter((member) => member.answer === null && !member.you);
  return (
    <Card as="li" className={styles.ring}>
      <ol className={styles.lessons}>
        {ring.members.map((member, at) => {
          const next = ring.members[(at + 1) % ring.members.length];
          return (
            <li key={at}>
              <Who member={member} /> {member.you ? "teach" : "teaches"} {next && <Who member={next} object />}{" "}
              <strong>{member.teaches}</strong>
            </li>
          );
        })}
      </ol>
      {ring.times.length > 0 && (
        <p className={styles.times}>
          Times that work for everyone: {ring.times.slice(0, MAX_TIMES).join(", ")}
          {ring.times.length > MAX_TIMES && ` and ${ring.times.length - MAX_TIMES} more`}
        </p>
      )}
      {ring.state === "agreed" ? (
        <Badge tone="good">Everyone accepted</Badge>
      ) : ownResponse === "accepted" ? (
        <p className={styles.times} role="status">
          You accepted. Waiting for {waiting.map((member) => member.name).join(" and ") || "the others"}.
        </p>
      ) : (
        <div className={styles.actions}>
          <Button size="sm" loading={pending === "accepted"} disabled={off} onClick={() => onAnswer("accepted")}>
            Accept
          </Button>
          <Button
            size="sm"
            variant="ghost"
            loading={pending === "declined"}
            disabled={off}
            onClick={() => onAnswer("declined")}
          >
            Decline
          </Button>
        </div>
      )}
      <div className={styles.actions}>
        {ring.members.map(
          (member, place) =>
            !member.you && (
              <MessageLink
                key={place}
                to={{ kind: "ring_member", id: `${ring.id}/${place}` }}
                name={member.name}
                variant="ghost"
              />
            ),
        )}
      </div>
    </Card>
  );
}

function Who({ member, object = false }: { member: SwapRingMember; object?: boolean }) {
  if (member.you) return <>{object ? "you" : "You"}</>;
  // A profile that turned private has no page.
  if (member.handle === null) return <>{member.name}</>;
  return <ProfileLink handle={member.handle}>{member.name}</ProfileLink>;
}
