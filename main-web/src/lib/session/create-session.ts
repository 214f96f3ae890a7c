import { api } from "../api-client";

/** Exchange an ID token for the `__session` cookie that guru sites read (docs/sign-in.md). */
export function createSession(idToken: string): Promise<unknown> {
  return api.POST("/auth/session", { body: { idToken } });
}
