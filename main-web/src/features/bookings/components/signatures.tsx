import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { useSendLink } from "../api/send-link";
import type { Booking } from "../lib/own-booking";
import styles from "./sessions.module.css";
import { formatLocalDate } from "@porchlight/shared/format/dates";
import { fieldErrors } from "@porchlight/shared/client";

type Person = Booking["people"][number];
type SignaturesProps = {
  booking: Booking;
  /** Whether a waiver that is signed now is still valid at the start. */
  canSign: boolean;
  onSign: (person: Person) => void;
};

/** Who of the participants has signed; with ways to sign for oneself and a child, and to send links to the others. */
export function Signatures({ booking, canSign, onSign }: SignaturesProps) {
  return (
    <ul className={styles.signatures}>
      {booking.people.map((person) => (
        <li key={person.number}>
          <div className={styles.signature}>
            <span>
              <strong>{person.name}</strong>
              {person.signer === "self" && " (you)"}
            </span>
            <Badge tone={person.covered ? "good" : "warning"}>{person.covered ? "Covered" : "Not yet signed"}</Badge>
          </div>
          <p className={styles.soft}>{stateText(person)}</p>
          {!person.covered && person.signer !== "link" && canSign && (
            <Button size="sm" onClick={() => onSign(person)}>
              {person.signer === "self" ? "Sign the waiver" : `Sign for ${person.name}`}
            </Button>
          )}
          {!person.covered && person.canSend && <SendLink booking={booking} person={person} />}
        </li>
      ))}
    </ul>
  );
}

function stateText(person: Person): string {
  const { covered, waiverUntil, signedBy, signer, emailedAt } = person;
  if (waiverUntil !== null && covered) {
    const by =
      signedBy !== "" && signedBy !== person.name && signer !== "self" ? `Signed by ${signedBy}, valid` : "Valid";
    return `${by} until ${formatLocalDate(waiverUntil)}.`;
  }
  if (waiverUntil !== null) return `The waiver ends on ${formatLocalDate(waiverUntil)}, before this session.`;
  if (signer === "self") return "You sign for yourself.";
  if (signer === "guardian") return "You sign as parent or guardian.";
  return emailedAt === null ? "Signs with a personal link." : `We emailed the link on ${formatLocalDate(emailedAt)}.`;
}

/** The link of someone who signs without an account: to copy, or to send by email. */
function SendLink({ booking, person }: { booking: Booking; person: Person }) {
  const link = useSendLink(booking.id, person.number);
  const [email, setEmail] = useState(person.email);
  const error = fieldErrors(link.error).email;
  return (
    <form
      className={styles.sendLink}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        link.mutate(email.trim());
      }}
    >
      <Field label={`Email of ${person.name}`} error={error}>
        <Input
          type="email"
          autoComplete="off"
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      </Field>
      <div className={styles.buttons}>
        <Button type="submit" size="sm" variant="secondary" disabled={email.trim() === ""} loading={link.isPending}>
          {person.emailedAt === null ? "Email the link" : "Email the link again"}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => link.mutate("")}>
          Show the link
        </Button>
      </div>
      {link.isError && error === undefined && <Notice tone="danger">{link.error.message}</Notice>}
      {link.data?.sent && <Notice tone="success">The link is on its way to {email.trim()}.</Notice>}
      {link.data && !link.data.sent && (
        <Field label={`Link for ${person.name}`} hint="It's for this person only. It works until the session starts.">
          <Input readOnly value={link.data.url} onFocus={(event) => event.currentTarget.select()} />
          <CopyButton text={link.data.url} what={`the link for ${person.name}`} />
        </Field>
      )}
    </form>
  );
}
