import { RefreshCw } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Notice } from "../../ui/notice";
import styles from "./coaching-extras.module.css";
import { useAnswerRing, useRings, type Ring, type RingMember } from "./get-rings";

/** Times shown of those that all three share. */
const TIMES = 3;

/** Rings of three who each teach the next; nothing while there are none. A failure leaves the matches alone. */
export function SwapRings({ userId }: { userId: string | null }) {
  const rings = useRings(userId);
  const answer = useAnswerRing(userId);
  if (!rings.data || rings.data.rings.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="swap-rings">
      <h2 id="swap-rings" className={styles.heading}>
        <RefreshCw size={20} aria-hidden="true" /> Swap rings
      </h2>
      <p className={styles.lead}>Three neighbors, three lessons, no money: each teaches the next.</p>
      {answer.isError && <Notice tone="danger">{answer.error.message}</Notice>}
      <ul className={styles.rings}>
        {rings.data.rings.map((ring) => (
          <RingCard
            key={ring.id}
            ring={ring}
            pending={answer.isPending ? answer.variables.answer : null}
            onAnswer={(said) => answer.mutate({ id: ring.id, answer: said })}
          />
        ))}
      </ul>
    </section>
  );
}

type RingCardProps = { ring: Ring; pending: string | null; onAnswer: (said: "accepted" | "declined") => void };

function RingCard({ ring, pending, onAnswer }: RingCardProps) {
  const mine = ring.members.find((member) => member.you)?.answer ?? null;
  const waiting = ring.members.filter((member) => member.answer === null && !member.you);
  return (
    <Card as="li" className={styles.ring}>
      <ol className={styles.lessons}>
        {ring.members.map((member, at) => {
          const next = ring.members[(at + 1) % ring.members.length];
          return (
            <li key={member.handle}>
              <Who member={member} /> {member.you ? "teach" : "teaches"} {next && <Who member={next} object />}{" "}
              <strong>{member.teaches}</strong>
            </li>
          );
        })}
      </ol>
      {ring.times.length > 0 && (
        <p className={styles.times}>
          All free: {ring.times.slice(0, TIMES).join(", ")}
          {ring.times.length > TIMES && ` and ${ring.times.length - TIMES} more`}
        </p>
      )}
      {ring.state === "agreed" ? (
        <Badge tone="green">Everybody accepted</Badge>
      ) : mine === "accepted" ? (
        <p className={styles.times} role="status">
          You accepted. Waiting for {waiting.map((member) => member.name).join(" and ") || "the others"}.
        </p>
      ) : (
        <div className={styles.actions}>
          <Button size="sm" loading={pending === "accepted"} onClick={() => onAnswer("accepted")}>
            Accept
          </Button>
          <Button size="sm" variant="ghost" loading={pending === "declined"} onClick={() => onAnswer("declined")}>
            Decline
          </Button>
        </div>
      )}
    </Card>
  );
}

function Who({ member, object = false }: { member: RingMember; object?: boolean }) {
  if (member.you) return <>{object ? "you" : "You"}</>;
  return <Link to={generatePath(paths.publicProfile, { handle: member.handle })}>{member.name}</Link>;
}
