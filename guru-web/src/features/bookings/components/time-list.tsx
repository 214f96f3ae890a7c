import { formatClock, formatViewerTime } from "@porchlight/shared/format/session-times";

import type { FreeStart } from "../../../lib/types";

interface TimeListProps {
  starts: readonly FreeStart[];
  zone: string;
  /** The viewer's zone; null until it is known, and without scripts. */
  viewer: string | null;
  isGroup: boolean;
  party: number;
  /** The start that is being kept, or null. */
  holding: string | null;
}

/** The times of a day, as buttons that submit the form around them. */
export function TimeList({ starts, zone, viewer, isGroup, party, holding }: TimeListProps) {
  return (
    <ul className="time-list">
      {starts.map(({ startsAt, seats }) => {
        const isTooSmall = seats < party;
        const viewerTime = viewer === null ? "" : formatViewerTime(startsAt, zone, viewer);
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
