import { FileSignature } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LevelBadge } from "@/components/waivers/level-badge";
import { WaiverModal } from "@/components/waivers/waiver-modal";
import { EMPTY_VALUES } from "@/components/waivers/waiver-values";
import type { Hold } from "../lib/types";
import styles from "./book-page.module.css";
import { formatDate } from "@porchlight/shared/format/dates";

type WaiverStepProps = {
  hold: Hold;
  /** The user's name, as a proposed signature. */
  name: string;
  /** Called once a waiver was accepted. */
  onAccepted: () => void;
};

/** The waiver that a risky session needs: to read and accept, or until when the accepted one is valid. */
export function WaiverStep({ hold, name, onAccepted }: WaiverStepProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [values, setValues] = useState(EMPTY_VALUES);
  const { waiver, serviceName, guruName } = hold;
  if (!waiver.required) return null;
  return (
    <Card as="section" className={styles.step} aria-labelledby="waiver-step">
      <h2 id="waiver-step" className={styles.stepTitle}>
        <FileSignature size={20} aria-hidden="true" />
        Liability waiver
        <LevelBadge level={waiver.level} />
      </h2>
      {waiver.validUntil !== null ? (
        <p role="status">Accepted. Your waiver is valid until {formatDate(waiver.validUntil)}.</p>
      ) : (
        <>
          <p>
            {waiver.outdated
              ? `${guruName} changed what the waiver needs since you accepted it. Please read and accept it again.`
              : "This session needs a waiver. Please read and accept it before you book."}
          </p>
          <div className={styles.row}>
            <Button variant="secondary" onClick={() => setIsOpen(true)}>
              Read and accept the waiver
            </Button>
          </div>
        </>
      )}
      {isOpen && (
        <WaiverModal
          exchange={{
            id: `${hold.guruLabel}/${hold.serviceId}`,
            skill: `${serviceName} with ${guruName}`,
            category: waiver.category,
            activity: serviceName,
          }}
          minimumLevel={waiver.level}
          mustSign={waiver.signed}
          initial={{ ...values, typedName: values.typedName || name }}
          onSignIn={null}
          onAccepted={() => {
            setIsOpen(false);
            onAccepted();
          }}
          onClose={(entered) => {
            setIsOpen(false);
            setValues(entered);
          }}
        />
      )}
    </Card>
  );
}
