/** Checks of email addresses that people type. The API checks the same (`tenants/kit/email_addresses.py`). */

/** Names that no mail server ever has (RFC 2606, RFC 6762). */
const NO_MAIL = new Set(["test", "invalid", "localhost", "local", "internal", "onion", "arpa"]);
const NOT_READ = new Set(["noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "mailer-daemon"]);
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const LABEL = /^[\p{L}\p{M}\p{N}](?:(?:[\p{L}\p{M}\p{N}-]|\u200c|\u200d)*[\p{L}\p{M}\p{N}])?$/u;
/** Spaces and invisible characters at the ends, which come along when an address is copied. */
const AROUND = /^[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]+|[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]+$/g;

/** The typed address without what is invisible around it. */
export function trimEmail(text: string): string {
  return text.replace(AROUND, "");
}

/** Why email cannot reach a typed address; null if it can. `invalid` is the text for one that looks like none. */
export function emailProblem(text: string, invalid: string): string | null {
  const address = trimEmail(text);
  const at = address.lastIndexOf("@");
  const local = address.slice(0, Math.max(at, 0));
  const labels = address.slice(at + 1).split(/[.\u3002\uff0e\uff61]/);
  const ending = labels.at(-1) ?? "";
  const foreign = Array.from(local).find((character) => /[^\0-\x7f]/.test(character));
  if (at < 1 || address.length > 254 || local.length > 64) return invalid;
  if (foreign && !/\s/.test(local)) {
    return `We can't send email to an address with “${foreign}” before the @. Please use another address.`;
  }
  if (NO_MAIL.has(ending.toLowerCase()) || NOT_READ.has(local.toLowerCase())) {
    return "Email to this address never arrives. Please use an address that you read.";
  }
  const isDomain = labels.length > 1 && labels.every((label) => LABEL.test(label)) && /\p{L}$/u.test(ending);
  return isDomain && LOCAL_PART.test(local) ? null : invalid;
}

/** A link that opens a new email. The domain is in its ASCII form, and the @ stays: not every program decodes them. */
export function mailtoUrl(address: string, subject = ""): string {
  const at = address.lastIndexOf("@");
  let domain = address.slice(at + 1);
  if (/[^\0-\x7f]/.test(domain) && URL.canParse(`http://${domain}`)) domain = new URL(`http://${domain}`).hostname;
  const query = subject ? `?subject=${encodeURIComponent(subject)}` : "";
  return `mailto:${encodeURIComponent(address.slice(0, at)).replaceAll("%2B", "+")}@${domain}${query}`;
}
