import { formatDate } from "@porchlight/shared/format/dates";

const DAY_MS = 86_400_000;

type Dated = { createdAt: string };

/** Group what is sorted by time into the days of the viewer's clocks: Today, Yesterday, then dates. */
export function groupByDay<Item extends Dated>(
  items: readonly Item[],
  now = Date.now(),
): { title: string; items: Item[] }[] {
  const today = dayKey(now);
  const yesterday = dayKey(now - DAY_MS);
  const groups: { key: string; title: string; items: Item[] }[] = [];
  for (const item of items) {
    const key = dayKey(Date.parse(item.createdAt));
    const last = groups.at(-1);
    if (last?.key === key) last.items.push(item);
    else {
      const title = key === today ? "Today" : key === yesterday ? "Yesterday" : formatDate(item.createdAt);
      groups.push({ key, title, items: [item] });
    }
  }
  return groups;
}

function dayKey(time: number): string {
  const date = new Date(time);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}
