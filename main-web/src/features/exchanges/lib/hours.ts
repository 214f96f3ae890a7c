import { insideName } from "./exchange-texts";
import type { Exchange, ExchangeMode, ExchangeOffer, OwnHours } from "./types";
import { formatSessionStart, viewerZone } from "@porchlight/shared/format/session-times";

export const QUARTER = 15;
const MAX_RECORDED = 480;
const MAX_ROUNDS = 3;

/** Minutes as people read them, like "4 h 30 min", "-10 h" or "45 min". */
export function formatHours(minutes: number): string {
  const whole = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  const parts = [whole > 0 && `${whole} h`, (rest > 0 || whole === 0) && `${rest} min`].filter(Boolean);
  return (minutes < 0 ? "-" : "") + parts.join(" ");
}

/** The lengths that can be recorded. The last one is for a session that did not take place. */
export const RECORDED_MINUTES = [...Array.from({ length: MAX_RECORDED / QUARTER }, (_, n) => (n + 1) * QUARTER), 0];

/** What was recorded, as people read it. */
export const recordedText = (minutes: number | null) =>
  minutes === 0 ? "It didn't take place" : formatHours(minutes ?? 0);

/** The badge of what a session is given for. */
export const MODES: Record<ExchangeMode, string> = {
  hours: "For hours",
  swap: "Swap",
  free: "Free help",
  direct: "Paid directly",
};

/** "You have 4 h 30 min. You can go down to -10 h." */
export const balanceText = ({ balance, floor }: OwnHours) =>
  `You have ${formatHours(balance)}. You can go down to ${formatHours(floor)}.`;

/** What a learner can choose from, with what it means for them. */
export function modeChoices(
  { modes, hours, neighbor }: ExchangeOffer,
  minutes: number,
): { value: ExchangeMode; label: string; hint: string }[] {
  const name = insideName(neighbor.name);
  const after = hours.balance - hours.reserved - minutes;
  const reserved = hours.reserved > 0 ? ` ${formatHours(hours.reserved)} of it is reserved for agreed sessions.` : "";
  const effect =
    after < hours.floor
      ? `This session would take you to ${formatHours(after)}.`
      : `This session takes you to ${formatHours(after)}.`;
  const texts: Record<ExchangeMode, { label: string; hint: string }> = {
    hours: { label: "Hours", hint: `${balanceText(hours)}${reserved} ${effect}` },
    swap: { label: "A swap", hint: `You teach ${name} something later. We count who gave how much.` },
    free: { label: "Free", hint: `${neighbor.name} gives this time and gets nothing back.` },
    direct: { label: "Paid directly", hint: `You pay ${name} yourselves. We don't record it.` },
  };
  return modes.map((value) => ({ value, ...texts[value] }));
}

/** What settling minutes does in a mode, from the reader's side. */
export function effectText({ mode, side, neighbor }: Exchange, minutes: number): string {
  const time = formatHours(minutes);
  const name = insideName(neighbor.name);
  if (minutes === 0) return "Nothing is entered.";
  if (mode === "hours") return side === "teacher" ? `You get ${time}.` : `${time} go from you to ${name}.`;
  if (mode === "swap") return side === "teacher" ? `You gave ${name} ${time}.` : `${neighbor.name} gave you ${time}.`;
  return side === "teacher" ? `You gave ${time} for free.` : `${neighbor.name} gave you ${time} for free.`;
}

/** What happens without an answer, or what happened, as a sentence; null while there is nothing to say. */
export function timeStateText(exchange: Exchange): string | null {
  const { time, side, mode, neighbor, status } = exchange;
  const until = time.settleBy ? formatSessionStart(time.settleBy, viewerZone()) : "";
  if (mode === "direct") return null;
  switch (time.state) {
    case "":
      if (side === "teacher")
        return time.canRecord ? `Record the time until ${until}. Without it, nothing is entered.` : null;
      return status === "completed" ? `${neighbor.name} can record the time until ${until}.` : null;
    case "recorded":
      return time.by === side
        ? `${neighbor.name} can object until ${until}. Without an answer, your time counts.`
        : `You can object until ${until}. Without an answer, it counts.`;
    case "settled":
      return `Settled: ${recordedText(time.minutes)}. ${effectText(exchange, time.minutes ?? 0)}`;
    case "unsettled":
      return time.round >= MAX_ROUNDS
        ? "You two named different times, so nothing is entered. A message may help."
        : "The time was not settled, so nothing is entered.";
    case "reversed":
      return "You both took this back. Nothing is entered.";
  }
}

/** Whether an objection now ends the session without a settlement. */
export const isLastRound = ({ time }: Exchange) => time.round >= MAX_ROUNDS;

/** Who owes whom in the swaps of two neighbors. */
export function swapText(neighbor: string, minutes: number): string {
  if (minutes === 0) return `You and ${insideName(neighbor)} are even.`;
  return minutes > 0
    ? `You gave ${insideName(neighbor)} ${formatHours(minutes)} more than you got.`
    : `${neighbor} gave you ${formatHours(-minutes)} more than they got.`;
}
