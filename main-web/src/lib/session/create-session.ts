import { api } from "../api-client";

/** Exchange an ID token for the `__session` cookie that guru sites read (ARCHITECTURE 7). */
export function createSession(idToken: string): Promise<unknown> {
  return api.POST("/auth/session", { body: { idToken } });
}
