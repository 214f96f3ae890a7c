import { api } from "../api";

/** Exchanges an ID token for the `__session` cookie that guru sites read (DESIGN 7). */
export function postSession(idToken: string): Promise<unknown> {
  return api.post("/auth/session", { body: { idToken } });
}
