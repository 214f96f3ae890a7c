import type { components } from "./api.gen";

/** The optional text fields of a lead: `LeadDetails` in sites/leads/schemas.py, which checks them. */
export type LeadDetailName = Exclude<
  keyof components["schemas"]["LeadPayload"],
  "name" | "email" | "serviceId" | "message" | "consent" | "website" | "page"
>;

/** How the contact form and the console show a detail. */
export interface LeadDetail {
  label: string;
  /** A short help text, shown with the field. */
  hint?: string;
  type: "text" | "tel";
  autoComplete: string;
  /** In characters, as in `LeadDetails`. */
  maxLength: number;
}

/** In the order of the form. A detail of the API without an entry is a type error. */
export const leadDetails: Record<LeadDetailName, LeadDetail> = {
  phone: { label: "Phone", type: "tel", autoComplete: "tel", maxLength: 40 },
  preferredTime: {
    label: "Preferred time",
    hint: "For example: weekday evenings",
    type: "text",
    autoComplete: "off",
    maxLength: 100,
  },
};

export const leadDetailNames = Object.keys(leadDetails) as LeadDetailName[];

/** A value per detail. */
export function mapLeadDetails<Value>(value: (name: LeadDetailName) => Value): Record<LeadDetailName, Value> {
  return Object.fromEntries(leadDetailNames.map((name) => [name, value(name)])) as Record<LeadDetailName, Value>;
}
