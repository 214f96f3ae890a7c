import type { Location } from "react-router-dom";
import { paths } from "../app/paths";
import { returnTarget, type ReturnTarget } from "./return-target";

/** What one page hands to the login page: where the person was, and words for them. */
export type LoginState = { from?: string; message?: string };

/**
 * Guru sites pass their message in the address, where anyone can write: only our own opening words, in one short
 * sentence without addresses, are taken from there.
 */
const SAFE_MESSAGE = /^Please sign in to (?!.*(?:\/\/|www\.|@))[^\p{Cc}<>]{1,140}$/u;

function stateOf(location: Location): LoginState {
  const state: unknown = location.state;
  return typeof state === "object" && state !== null ? (state) : {};
}

/** Where to go after signing in: the page the person came from, or else the dashboard (SPEC 2.5). */
export function arrivalTarget(location: Location): ReturnTarget {
  const asked = stateOf(location).from ?? new URLSearchParams(location.search).get("next");
  const target = returnTarget(asked, window.location.origin);
  const circular = target?.kind === "path" && /^\/(login|signup|forgot-password)([/?#]|$)/.test(target.to);
  return target && !circular ? target : { kind: "path", to: paths.dashboard };
}

/** The message passed from the previous page, if any. */
export function arrivalMessage(location: Location): string | null {
  const { message } = stateOf(location);
  if (typeof message === "string" && message) return message;
  const passed = new URLSearchParams(location.search).get("message") ?? "";
  return SAFE_MESSAGE.test(passed) ? passed : null;
}
