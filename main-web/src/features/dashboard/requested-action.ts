import type { Location } from "react-router-dom";

/** What a button elsewhere asked for before it led here (SPEC 4, "Booking or finding teachers"). */
export type RequestedAction = {
  action: "book-skill-session" | "find-teachers" | "book-service";
  /** The skill category or service it was about; "" when unknown. */
  category: string;
  /** The asking button's own words; "" when none were passed. */
  message: string;
};

const ACTIONS: readonly string[] = ["book-skill-session", "find-teachers", "book-service"];

/** Reads the request from the router's state, or from the address when it came from a guru's site. */
export function requestedAction(location: Location): RequestedAction | null {
  const state: unknown = location.state;
  const passed = typeof state === "object" && state !== null ? (state as Record<string, unknown>) : {};
  const query = new URLSearchParams(location.search);
  const read = (name: string) => {
    const value = passed[name] ?? query.get(name);
    return typeof value === "string" ? value.trim().slice(0, 160) : "";
  };
  const action = read("action");
  if (!ACTIONS.includes(action)) return null;
  return { action: action as RequestedAction["action"], category: read("category"), message: read("message") };
}
