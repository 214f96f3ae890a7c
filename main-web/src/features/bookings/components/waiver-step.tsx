import { FileSignature } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LevelBadge, WaiverModal, EMPTY_VALUES, type WaiverValues } from "@/features/waivers/contract";
import type { PartyPerson } from "../lib/party";
import type { Hold } from "../lib/types";
import styles from "./book-page.module.css";
import { formatDate } from "@porchlight/shared/format/dates";

type WaiverStepProps = {
  hold: Hold;
  /** Who takes part, each with who signs. */
  people: PartyPerson[];
  /** The user's name, as a proposed signature. */
  name: string;
  /** Called once a waiver was accepted. */
  onAccepted: () => void;
};

/** The waivers that a risky session needs: buttons to sign for oneself and one's children, and which are signed. */
export function WaiverStep({ hold, people, name, onAccepted }: WaiverStepProps) {
  const [signing, setSigning] = useState<PartyPerson | null>(null);
  // By the child, "" for the user: what was confirmed for one person says nothing about another.
  const [entered, setEntered] = useState<Record<string, WaiverValues>>({});
  const { waiver, serviceName, guruName } = hold;
  if (!waiver.required) return null;
  const minor = signing?.signer === "guardian" ? signing.name : null;
  const values = entered[minor ?? ""] ?? EMPTY_VALUES;
  const me = people.find(({ signer }) => signer === "self");
  const children = people.filter(({ signer }) => signer === "guardian");
  const others = people.filter(({ signer }) => signer === "link");
  return (
    <Card as="section" className={styles.step} aria-labelledby="waiver-step">
      <h2 id="waiver-step" className={styles.stepTitle}>
        <FileSignature size={20} aria-hidden="true" />
        Liability waiver
        <LevelBadge level={waiver.level} />
      </h2>
      {me !== undefined && waiver.validUntil !== null && (
        <p role="status">Accepted. Your waiver is valid until {formatDate(waiver.validUntil)}.</p>
      )}
      {me !== undefined && waiver.validUntil === null && (
        <>
          <p>
            {waiver.outdated
              ? `${guruName} changed what the waiver needs since you accepted it. Please read and accept it again.`
              : "This session needs a waiver. Please read and accept it before you book."}
          </p>
          <div className={styles.row}>
            <Button variant="secondary" onClick={() => setSigning(me)}>
              Read and accept the waiver
            </Button>
          </div>
        </>
      )}
      {children.length > 0 && (
        <ul className={styles.signatures}>
          {children.map((child, index) => (
            <li key={index}>
              {child.isSigned ? (
                <span role="status">The waiver for {child.name} is signed.</span>
              ) : (
                <>
                  <span>{child.name === "" ? "Enter the child's name first." : `${child.name} needs a waiver.`}</span>
                  <Button variant="secondary" disabled={child.name === ""} onClick={() => setSigning(child)}>
                    Read and sign{child.name && ` for ${child.name}`}
                  </Button>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <p className={styles.soft}>
          {others.length === 1 ? "The other adult signs" : `The ${others.length} other adults sign`} after you book,
          with a personal link.
        </p>
      )}
      {signing !== null && (
        <WaiverModal
          exchange={{
            id: `${hold.guruLabel}/${hold.serviceId}`,
            skill: `${serviceName} with ${guruName}`,
            category: waiver.category,
            activity: serviceName,
          }}
          minimumLevel={waiver.level}
          mustSign={waiver.signed}
          role={minor === null ? { for: "self" } : { for: "minor", name: minor }}
          initial={{ ...values, typedName: values.typedName || name }}
          onSignIn={null}
          onAccepted={() => {
            setSigning(null);
            onAccepted();
          }}
          onClose={(closed) => {
            setSigning(null);
            setEntered({ ...entered, [minor ?? ""]: closed });
          }}
        />
      )}
    </Card>
  );
}
