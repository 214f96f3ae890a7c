/** What the form collects; every value as typed. */
export interface Lead {
  name: string;
  email: string;
  phone: string;
  serviceId: string;
  message: string;
  consent: boolean;
  /** A field people never see; whoever fills it is a machine. */
  website: string;
}

export type LeadField = keyof Lead;
export type LeadErrors = Partial<Record<LeadField, string>>;

/** In the order of the form. */
export const leadFields: readonly LeadField[] = ["name", "email", "phone", "serviceId", "message", "consent", "website"];

const limits = { name: 120, email: 254, phone: 40, message: 5000 } as const;
export const lengthLimits: Readonly<typeof limits> = limits;

// A general pattern (SPEC 5): something, an @, something with a dot. The mail itself is the proof.
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

/** The words to show beside each field that cannot be sent; empty when all is well. */
export function leadErrors(lead: Lead): LeadErrors {
  const errors: LeadErrors = {};
  const email = lead.email.trim();
  if (lead.name.trim() === "") errors.name = "Name is required";
  if (email === "") errors.email = "Email is required";
  else if (!EMAIL.test(email)) errors.email = "Invalid email address";
  if (lead.message.trim() === "") errors.message = "Message is required";
  if (!lead.consent) errors.consent = "Please agree, so that your message may be answered";
  return errors;
}

/** The same words make the same fingerprint, however often they are sent. */
export function fingerprint(lead: Lead): string {
  return JSON.stringify(leadFields.map((field) => lead[field]));
}

/** A random UUID (version 4); `crypto.randomUUID` is missing on plain http addresses. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte;
    return value.toString(16).padStart(2, "0");
  }).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
