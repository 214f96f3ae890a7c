import type { Location } from "react-router-dom";
import { paths } from "@/config/paths";
import { returnTarget, type ReturnTarget } from "./return-target";

/** The navigation state of the login page: the page to return to, and a message to show. */
export type LoginState = { from?: string; message?: string };

/**
 * Messages accepted from the URL. Guru sites pass their message there, and so can any other site, so only one short
 * sentence that starts with our own words and contains no address is shown.
 */
const SAFE_MESSAGE = /^Please sign in to (?!.*(?:\/\/|www\.|@))[^\p{Cc}<>]{1,140}$/u;

function loginState(location: Location): LoginState {
  const state: unknown = location.state;
  return typeof state === "object" && state !== null ? state : {};
}

/** Return the page to open after signing in: the page the user came from, else the dashboard (SPEC 2.5). */
export function loginRedirectTarget(location: Location): ReturnTarget {
  const requested = loginState(location).from ?? new URLSearchParams(location.search).get("next");
  // A prerendered page is made without a window.
  const target = requested ? returnTarget(requested, window.location.origin) : null;
  const isCircular = target?.kind === "path" && /^\/(login|signup|forgot-password)([/?#]|$)/.test(target.to);
  return target && !isCircular ? target : { kind: "path", to: paths.dashboard };
}

/** Return the token of the time that the user is about to book, if that is where they come from. */
export function heldTime(location: Location): string | null {
  const target = loginRedirectTarget(location);
  return target.kind === "path" ? (/^\/book\/([\w-]+)$/.exec(target.to)?.[1] ?? null) : null;
}

/** Return the message that the previous page passed to the login page, if any. */
export function loginMessage(location: Location): string | null {
  const { message } = loginState(location);
  if (typeof message === "string" && message) return message;
  const urlMessage = new URLSearchParams(location.search).get("message") ?? "";
  return SAFE_MESSAGE.test(urlMessage) ? urlMessage : null;
}
