const HOUR = 60;
const DAY = 24 * HOUR;
const MAX_HOURS = 12; // from there on in days

/** Format the usual minutes until an answer: 95 as "Usually answers within 2 hours". */
export function formatAnswerTime(minutes: number): string {
  return `Usually answers within ${roundedUp(minutes)}`;
}

function roundedUp(minutes: number): string {
  const hours = Math.ceil(minutes / HOUR);
  if (hours <= 1) return "an hour";
  if (hours <= MAX_HOURS) return `${hours} hours`;
  const days = Math.ceil(minutes / DAY);
  return days === 1 ? "a day" : `${days} days`;
}
