import { formatClock, formatViewerTime } from "@porchlight/shared/format/session-times";

import { startHref } from "../../../lib/booking";
import type { FreeStart, Service, Site } from "../../../lib/types";

interface TimeListProps {
  site: Site;
  service: Service;
  starts: readonly FreeStart[];
  zone: string;
  /** The viewer's zone; null until it is known, and without scripts. */
  viewer: string | null;
  isGroup: boolean;
  party: number;
  /** The start that is being kept, or null. */
  holding: string | null;
}

/** The times of a day, as buttons that submit the form around them. A full session links to its waitlist. */
export function TimeList({ site, service, starts, zone, viewer, isGroup, party, holding }: TimeListProps) {
  return (
    <ul className="time-list">
      {starts.map(({ startsAt, seats }) => {
        const isTooSmall = seats < party;
        const viewerTime = viewer === null ? "" : formatViewerTime(startsAt, zone, viewer);
        if (seats === 0) {
          return (
            <li key={startsAt}>
              <a
                className="button button-secondary time"
                href={startHref("/sessions/waitlist", site, service, startsAt, party)}
              >
                <span>{formatClock(startsAt, zone)}</span>
                {viewerTime !== "" && <small>{viewerTime}</small>}
                <small>Full · Join the waitlist</small>
              </a>
            </li>
          );
        }
        return (
          <li key={startsAt}>
            <button
              className="button button-secondary time"
              type="submit"
              name="startsAt"
              value={startsAt}
              disabled={isTooSmall}
              aria-disabled={holding !== null || undefined}
              aria-busy={holding === startsAt || undefined}
            >
              <span>{holding === startsAt ? "Keeping…" : formatClock(startsAt, zone)}</span>
              {viewerTime !== "" && <small>{viewerTime}</small>}
              {isGroup && <small>{seats === 1 ? "1 spot left" : `${seats} spots left`}</small>}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
