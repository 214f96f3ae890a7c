import { api } from "../api-client";

/** Exchange an ID token for the `__session` cookie that guru sites read (ARCHITECTURE 7). */
export function createSession(idToken: string): Promise<unknown> {
  return api.post("/auth/session", { body: { idToken } });
}
