/** What Stripe may ask a guru for, by its names, in words. Parts of one answer share their words. */
const WORDS: [begins: string, words: string][] = [
  ["individual.first_name", "Your name"],
  ["individual.last_name", "Your name"],
  ["individual.dob", "Your date of birth"],
  ["individual.email", "Your email address"],
  ["individual.phone", "Your phone number"],
  ["individual.address", "Your home address"],
  ["individual.ssn_last_4", "The last four digits of your Social Security number"],
  ["individual.id_number", "Your Social Security number"],
  ["individual.verification.document", "A photo of your ID"],
  ["individual.verification.additional_document", "A document that shows your address"],
  ["individual.verification", "A document that shows who you are"],
  ["external_account", "A bank account for payouts"],
  ["tos_acceptance", "Your agreement to Stripe’s terms"],
  ["business_profile.url", "Your website"],
  ["business_profile.mcc", "What kind of business you run"],
  ["business_profile.product_description", "What you offer"],
  ["business_profile", "Details of your business"],
  ["business_type", "Whether you are a person or a company"],
  ["company.tax_id", "Your company’s tax number"],
  ["company.address", "Your company’s address"],
  ["company", "Details of your company"],
  ["owners", "Who owns your company"],
  ["representative", "Who speaks for your company"],
  ["person", "Details of the people in your company"],
  ["individual", "Details about you"],
];

/** What is asked for, in words, each once, in the order in which one would say it. */
export function dueWords(due: readonly string[]): string[] {
  const wanted = due.map((name) => {
    const at = WORDS.findIndex(([begins]) => name === begins || name.startsWith(`${begins}.`));
    return { at: at === -1 ? WORDS.length : at, words: WORDS[at]?.[1] ?? plain(name) };
  });
  return [...new Set(wanted.sort((a, b) => a.at - b.at).map(({ words }) => words))];
}

/** "settings.card_payments" as "Settings: card payments": for what Stripe comes to ask one day. */
function plain(name: string): string {
  const text = name.replaceAll(".", ": ").replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
