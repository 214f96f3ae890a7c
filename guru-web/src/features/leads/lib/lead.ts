import { emailProblem, trimEmail } from "@porchlight/shared/email-address";
import { leadDetailNames, type LeadDetailName } from "@porchlight/shared/lead-details";

/** The form's values as entered. */
export interface Lead extends Record<LeadDetailName, string> {
  name: string;
  email: string;
  serviceId: string;
  message: string;
  consent: boolean;
  /** Honeypot: hidden from people, filled in by bots. */
  website: string;
}

export type LeadField = keyof Lead;
export type LeadErrors = Partial<Record<LeadField, string>>;

/** In the order of the form. */
export const leadFields: readonly LeadField[] = [
  "name",
  "email",
  ...leadDetailNames,
  "serviceId",
  "message",
  "consent",
  "website",
];

/** The id of the form, and of what replaces it once the message is sent. */
export const LEAD_ID = "your-message";

/** Maximum length per field, in characters. The details have theirs in `leadDetails`. */
export const maxLengths = { name: 120, email: 254, message: 5000 } as const;

/** Error texts per invalid field; empty when the lead can be sent. */
export function leadErrors(lead: Lead): LeadErrors {
  const errors: LeadErrors = {};
  const email = trimEmail(lead.email);
  if (lead.name.trim() === "") errors.name = "Name is required";
  if (email === "") errors.email = "Email is required";
  else {
    const problem = emailProblem(email, "Invalid email address");
    if (problem) errors.email = problem;
  }
  if (lead.message.trim() === "") errors.message = "Message is required";
  if (!lead.consent) errors.consent = "Please check the box so we can send your message.";
  return errors;
}

/** Equal leads have equal fingerprints. */
export function leadFingerprint(lead: Lead): string {
  return JSON.stringify(leadFields.map((field) => lead[field]));
}
