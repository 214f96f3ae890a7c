import type { Location } from "react-router-dom";

/** The action that a button on another page requested (SPEC 4, "Booking or finding teachers"). */
export type RequestedAction = {
  action: "book-skill-session" | "find-teachers" | "book-service";
  /** The skill category or service; "" when unknown. */
  category: string;
  /** The message of the button; "" without one. */
  message: string;
  /** The subdomain of the guru whose site sent the user; "" for another page. */
  guru: string;
  /** The id of the service: on that site, or on Angel's List; "" when unknown. */
  service: string;
  /** The id of the listing that the user asks about; "" for another request. */
  listing: string;
};

const ACTIONS: readonly string[] = ["book-skill-session", "find-teachers", "book-service"];

/** Read the requested action from the router state, or from the URL for users who signed in to continue. */
export function requestedAction(location: Location): RequestedAction | null {
  const state: unknown = location.state;
  const stateRecord = typeof state === "object" && state !== null ? (state as Record<string, unknown>) : {};
  const query = new URLSearchParams(location.search);
  const read = (name: string) => {
    const value = stateRecord[name] ?? query.get(name);
    return typeof value === "string" ? value.trim().slice(0, 160) : "";
  };
  const action = read("action");
  if (!ACTIONS.includes(action)) return null;
  return {
    action: action as RequestedAction["action"],
    category: read("category"),
    message: read("message"),
    guru: read("guru"),
    service: read("service"),
    listing: read("listing"),
  };
}
