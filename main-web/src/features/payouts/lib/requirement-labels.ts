/** Labels of Stripe's requirements by name prefix. Parts of one requirement share a label. */
const REQUIREMENT_LABELS: [prefix: string, label: string][] = [
  ["individual.first_name", "Your name"],
  ["individual.last_name", "Your name"],
  ["individual.dob", "Your date of birth"],
  ["individual.email", "Your email address"],
  ["individual.phone", "Your phone number"],
  ["individual.address", "Your home address"],
  ["individual.ssn_last_4", "The last four digits of your Social Security number"],
  ["individual.id_number", "Your Social Security number"],
  ["individual.verification.document", "A photo of your ID"],
  ["individual.verification.additional_document", "Proof of address"],
  ["individual.verification", "Proof of identity"],
  ["external_account", "A bank account for payouts"],
  ["tos_acceptance", "Acceptance of Stripe’s terms"],
  ["business_profile.url", "Your website"],
  ["business_profile.mcc", "Your type of business"],
  ["business_profile.product_description", "What you offer"],
  ["business_profile", "Your business details"],
  ["business_type", "Whether you're an individual or a company"],
  ["company.tax_id", "Your company’s tax ID"],
  ["company.address", "Your company’s address"],
  ["company", "Your company details"],
  ["owners", "Your company’s owners"],
  ["representative", "Your company’s representative"],
  ["person", "Details about people in your company"],
  ["individual", "Your personal details"],
];

/** Return the labels of the due requirements, without duplicates, in the order of the table. */
export function requirementLabel(due: readonly string[]): string[] {
  const labels = due.map((name) => {
    const at = REQUIREMENT_LABELS.findIndex(([prefix]) => name === prefix || name.startsWith(`${prefix}.`));
    return { at: at === -1 ? REQUIREMENT_LABELS.length : at, label: REQUIREMENT_LABELS[at]?.[1] ?? humanize(name) };
  });
  return [...new Set(labels.sort((a, b) => a.at - b.at).map(({ label }) => label))];
}

/** Format an unknown requirement: "settings.card_payments" as "Settings: card payments". */
function humanize(name: string): string {
  const text = name.replaceAll(".", ": ").replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
