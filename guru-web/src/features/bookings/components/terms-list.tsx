import { formatWayToPay } from "@porchlight/shared/format/card-terms";
import { formatCancellation } from "@porchlight/shared/format/session-terms";

import { Icon } from "../../../components/ui/icon";
import type { IconName } from "../../../components/ui/icon-paths";
import type { FreeTimes, Guru, Service } from "../../../lib/types";

/** Where a session takes place, how it is paid and booked, and until when a cancellation is free. */
export function TermsList({ guru, service, times }: { guru: Guru; service: Service; times: FreeTimes }) {
  const place = placeOf(times, guru.character);
  const priceCents = Math.round(service.price * 100);
  const payment = formatWayToPay(times, priceCents, times.partyMax > 1);
  const terms: { icon: IconName; text: string }[] = [
    place,
    ...(payment === "" ? [] : [{ icon: "credit-card" as const, text: payment }]),
    { icon: "check", text: formatCancellation({ ...times, priceCents }).join(" ") },
    ...(times.approval === "request"
      ? [{ icon: "clock" as const, text: `You ask for a time. ${guru.character} answers within 24 hours.` }]
      : []),
  ];
  return (
    <ul className="icon-list terms-list" aria-label="Good to know">
      {terms.map(({ icon, text }) => (
        <li key={text}>
          <Icon name={icon} />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

function placeOf({ place }: FreeTimes, character: string): { icon: IconName; text: string } {
  switch (place) {
    case "guru":
      return { icon: "map-pin", text: `At ${character}'s place` };
    case "person":
      return { icon: "map-pin", text: "At your place" };
    case "online":
      return { icon: "video", text: "Online" };
    case "agreed":
      return { icon: "map-pin", text: `You and ${character} agree on a place` };
  }
}
