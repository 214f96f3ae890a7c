import type { Message } from "./types";

/** Return messages in their order: texts by number, and session events between them by time. */
export function inOrder(messages: readonly Message[]): Message[] {
  const texts = messages.filter(({ kind }) => kind === "text").sort((a, b) => a.number - b.number);
  const events = messages.filter(({ kind }) => kind === "event").sort((a, b) => a.at.localeCompare(b.at));
  const merged: Message[] = [];
  for (const text of texts) {
    while (events[0] && Date.parse(events[0].at) <= Date.parse(text.at)) merged.push(...events.splice(0, 1));
    merged.push(text);
  }
  return [...merged, ...events];
}

/** Replace the messages that are there already, and add the others. */
export function withMessages(known: readonly Message[], changed: readonly Message[]): Message[] {
  const byId = new Map(known.map((message) => [message.id, message]));
  for (const message of changed) byId.set(message.id, message);
  return inOrder([...byId.values()]);
}

/** The number of the newest text; 0 without one. */
export const lastNumber = (messages: readonly Message[]) =>
  messages.reduce((last, { kind, number }) => (kind === "text" ? Math.max(last, number) : last), 0);

/** The first message that the reader has not seen: it stands below the line "New messages". */
export function firstUnread(messages: readonly Message[], readNumber: number): Message | undefined {
  return messages.find(({ kind, mine, number }) => kind === "text" && !mine && number > readNumber);
}

/** How a message stands to the one before it. */
export type Place = { message: Message; startsDay: boolean; startsGroup: boolean };

/** Messages of one side within this time stand close together. */
const GROUP_MS = 5 * 60_000;

/** Return each message with whether a new day and a new group begin with it. */
export function placed(messages: readonly Message[], dayOf: (iso: string) => string): Place[] {
  return messages.map((message, index) => {
    const before = messages[index - 1];
    const startsDay = !before || dayOf(before.at) !== dayOf(message.at);
    const startsGroup =
      startsDay ||
      before.kind === "event" ||
      before.mine !== message.mine ||
      Date.parse(message.at) - Date.parse(before.at) > GROUP_MS;
    return { message, startsDay, startsGroup };
  });
}
