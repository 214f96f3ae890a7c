/** A session as a calendar shows it. Times are ISO times in UTC; `location` is an address, a link or words. */
export type CalendarEvent = { title: string; startsAt: string; endsAt: string; location: string; details: string };

// Encoded as in a path: Outlook shows the plus signs of a form's encoding.
const query = (values: Record<string, string>) =>
  Object.entries(values)
    .filter(([, value]) => value !== "")
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

const iso = (time: string) => new Date(time).toISOString().replace(/\.\d+Z$/, "Z");

/** The page of Google Calendar on which the event can be saved. */
export function googleCalendarUrl({ title, startsAt, endsAt, location, details }: CalendarEvent): string {
  const dates = [startsAt, endsAt].map((time) => iso(time).replace(/[-:]/g, "")).join("/");
  return `https://calendar.google.com/calendar/render?${query({ action: "TEMPLATE", text: title, dates, location, details })}`;
}

/** The page of Outlook on which the event can be saved: outlook.live.com for a person's, outlook.office.com for work. */
export function outlookUrl(
  { title, startsAt, endsAt, location, details }: CalendarEvent,
  host: "outlook.live.com" | "outlook.office.com",
): string {
  const values = {
    path: "/calendar/action/compose",
    rru: "addevent",
    subject: title,
    startdt: iso(startsAt),
    enddt: iso(endsAt),
    location,
    body: details,
  };
  return `https://${host}/calendar/0/deeplink/compose?${query(values)}`;
}

/** The page of a map with an address, or null for what is none, such as "Ring at the workshop" or a link. */
export function mapUrl(place: string): string | null {
  // Directions follow the address: "80207. Come through the side gate."
  const address = place
    .trim()
    .replace(/\s+/g, " ")
    .replace(/^(.*?\d)\. .*$/, "$1")
    .replace(/\.$/, "");
  if (/^\w+:\/\//.test(address) || !/[\d,]/.test(address)) return null;
  return `https://www.openstreetmap.org/search?${query({ query: address })}`;
}
