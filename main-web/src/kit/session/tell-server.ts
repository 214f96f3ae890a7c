import { readLocation } from "../remembered-location";
import { deleteSession } from "./delete-session";
import type { Identity } from "./identity";
import { postRegister, type Registration } from "./post-register";
import { postSession } from "./post-session";
import type { SignedInUser } from "./session-context";
import { rememberSignedIn } from "./session-memory";

/** Ends the cookie session as far as that can be done now. */
export async function endCookie() {
  await deleteSession().catch((reason: unknown) => console.warn("The cookie session could not be ended.", reason));
}

/** A failed exchange costs the signed-in state on guru sites only, so it is logged and tried again on the next arrival. */
export async function exchange(identity: Identity) {
  try {
    const token = await identity.getToken();
    if (!token) return;
    await postSession(token);
    rememberSignedIn(Date.now());
  } catch (reason) {
    console.warn("The sign-in could not be carried over to guru sites.", reason);
  }
}

/** What is known of somebody at their first sign-in. */
export type Newcomer = Pick<Registration, "displayName" | "firstName" | "lastName" | "photoURL">;

/** A failure is only logged and blocks nothing (SPEC 7.2). */
export async function register(user: SignedInUser, { displayName, firstName, lastName, photoURL }: Newcomer) {
  try {
    await postRegister({
      email: user.email,
      displayName,
      ...(firstName && { firstName }),
      ...(lastName && { lastName }),
      skills: { offered: [], wanted: [] },
      location: readLocation() ?? "",
      ...(photoURL && { photoURL }),
    });
  } catch (reason) {
    console.warn("The account could not be registered with the API yet.", reason);
  }
}
