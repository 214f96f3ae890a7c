const DAY_MS = 86_400_000;

type Times = { firstDay: string; days: number; lastDay: string; starts: unknown[]; full: string[] };

/**
 * Get the free times of a service on `days` days from a local day on, "" for today. An answer holds so many times only;
 * its `days` says how many days it reaches, and the next one goes on there.
 */
export async function getAllTimes<T extends Times>(
  get: (from: string, days: number) => Promise<T>,
  from: string,
  days: number,
): Promise<T> {
  const found = await get(from, days);
  let { days: reached } = found;
  const starts = [...found.starts];
  const full = [...found.full];
  while (reached > 0 && reached < days) {
    const next = new Date(Date.parse(found.firstDay) + reached * DAY_MS).toISOString().slice(0, 10);
    if (next > found.lastDay) break;
    const more = await get(next, days - reached);
    if (more.days < 1) break;
    starts.push(...more.starts);
    full.push(...more.full);
    reached += more.days;
  }
  return { ...found, days: reached, starts, full };
}
