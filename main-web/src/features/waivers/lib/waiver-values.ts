import type { WaiverPayload } from "../api/accept-waiver";
import type { Lines } from "./drawing";
import type { WaiverText } from "../api/get-waiver-text";
import type { WaiverLevel } from "./levels";

export const MAX_NAME_LENGTH = 120;

/** What is joined: a sample, a listing or a service. `id` is the waiver's `exchangeId`. */
export type WaiverExchange = { id: string; skill: string; category: string; activity: string };

export type WaiverValues = {
  understood: boolean;
  acknowledged: boolean;
  released: boolean;
  contactName: string;
  contactPhone: string;
  contactRelationship: string;
  typedName: string;
  guardian: boolean;
  participantName: string;
  /** The drawn signature, empty without one. */
  drawing: Lines;
  /** The texts that the checkboxes are about, "" before any was shown (`textsId`). */
  confirmedTexts: string;
};

export const EMPTY_VALUES: WaiverValues = {
  understood: false,
  acknowledged: false,
  released: false,
  contactName: "",
  contactPhone: "",
  contactRelationship: "",
  typedName: "",
  guardian: false,
  participantName: "",
  drawing: [],
  confirmedTexts: "",
};

/** Identify the texts of a waiver: another version has another id. */
export function textsId({ sha256, guruText }: WaiverText): string {
  return `${sha256} ${guruText?.version ?? 0} ${guruText?.sha256 ?? ""}`;
}

/** Tell whether a level needs an emergency contact. */
export function needsContact(level: WaiverLevel): boolean {
  return level === "high" || level === "extreme";
}

/**
 * Tell whether "Accept" is enabled: three checkboxes, and for high risk a contact with name and phone (SPEC 5). A drawing
 * and a guru who requires a signature need the typed name.
 */
export function canAccept(values: WaiverValues, level: WaiverLevel, mustSign = false): boolean {
  const hasConsents = values.understood && values.acknowledged && values.released;
  const hasContact = values.contactName.trim() !== "" && values.contactPhone.trim() !== "";
  // A guardian signs for a participant, who needs a name.
  const hasParticipant = !values.guardian || (values.participantName.trim() !== "" && values.typedName.trim() !== "");
  const hasName = values.typedName.trim() !== "" || !(mustSign || values.drawing.length > 0);
  return hasConsents && hasParticipant && hasName && (!needsContact(level) || hasContact);
}

/** Return the request of an accepted waiver (SPEC 3) with the texts that were read. It is signed if a name is typed. */
export function waiverPayload(
  exchange: WaiverExchange,
  level: WaiverLevel,
  values: WaiverValues,
  text: WaiverText,
): WaiverPayload {
  const typedName = values.typedName.trim();
  return {
    riskLevel: level,
    emergencyContact: needsContact(level)
      ? {
          name: values.contactName.trim(),
          phone: values.contactPhone.trim(),
          relationship: values.contactRelationship.trim(),
        }
      : null,
    timestamp: new Date().toISOString(),
    skillCategory: exchange.category,
    activityDescription: exchange.activity,
    exchangeId: exchange.id,
    ...(typedName && {
      signature: {
        typedName,
        participantName: values.guardian ? values.participantName.trim() : typedName,
        guardian: values.guardian,
        ...(values.drawing.length > 0 && { drawn: values.drawing }),
      },
    }),
    textVersion: text.version,
    guruTextVersion: text.guruText?.version ?? 0,
  };
}
