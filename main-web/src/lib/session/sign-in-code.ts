import { api } from "../api-client";
import type { EmailCode } from "./session-context";

/** Email six digits to an address. Their id names them when they are typed. */
export function sendSignInCode(email: string): Promise<{ id: string; secondsLeft: number }> {
  return api.POST("/auth/codes", { body: { email } });
}

/** Exchange a code for a token of its account, which is created if there is none. */
export function signInWithCode({ id, digits }: EmailCode): Promise<{ token: string; isNew: boolean }> {
  return api.POST("/auth/codes/{code_id}/sign-in", { params: { path: { code_id: id } }, body: { code: digits } });
}
