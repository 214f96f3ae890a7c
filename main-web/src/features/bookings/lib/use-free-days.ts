import { useState } from "react";
import { useSlots } from "../api/get-slots";
import { daysOfSlots, firstDayFrom, type MovedSession } from "./slot-days";
import { clampDay, monthOf, weeksOfMonth } from "@porchlight/shared/format/calendar-days";
import { localDay } from "@porchlight/shared/format/session-times";

/**
 * The days of a service with free times for a session, month by month, and which of them is chosen. It opens at the
 * session's day, which is marked with `label`; the first day with times from there on is chosen, until someone chooses
 * another one.
 */
export function useFreeDays(guruLabel: string, serviceId: string, session: MovedSession, label: string) {
  const { zone } = session;
  const now = localDay(new Date().toISOString(), zone);
  const sessionDay = localDay(session.startsAt, zone);
  const [shown, setShown] = useState(sessionDay < now ? now : sessionDay);
  // From where on the first day with times counts.
  const [from, setFrom] = useState(shown);
  const [picked, setPicked] = useState("");
  const days = weeksOfMonth(shown).flat();
  const ahead = days.filter((day) => day >= now);
  const slots = useSlots(guruLabel, serviceId, ahead[0] ?? now, Math.max(ahead.length, 1));
  const free = daysOfSlots(slots.data?.starts ?? [], session);
  const isLoading = slots.isPending || slots.isPlaceholderData;
  const chosen = isLoading ? undefined : (free.find(({ date }) => date === picked) ?? firstDayFrom(free, from, shown));
  const { today = now, lastDay = days.at(-1) ?? shown } = slots.data ?? {};

  return {
    slots,
    isLoading,
    chosen,
    /** What the grid of days needs. */
    grid: {
      shown: clampDay(shown, today, lastDay < today ? today : lastDay),
      chosen: chosen?.date ?? "",
      today,
      lastDay,
      counts: new Map(free.map(({ date, starts }) => [date, starts.length])),
      isLoading,
      marked: { day: sessionDay, label },
    },
    choose: (day: string) => {
      setShown(day);
      setPicked(day);
    },
    move: (day: string, how: "key" | "month" | "week") => {
      if (how !== "key" || monthOf(day) !== monthOf(shown)) {
        setFrom(day);
        setPicked("");
      }
      setShown(day);
    },
  };
}
