import { readSavedLocation } from "../saved-location";
import { deleteSession } from "./delete-session";
import type { Identity } from "./identity";
import { createAccount, type Registration } from "./create-account";
import { createSession } from "./create-session";
import type { SignedInUser } from "./session-context";
import { forgetNewAccount, readNewAccount, rememberNewAccount, rememberSignedIn, wasSignedIn } from "./session-storage";

/** End the cookie session of a sign-in that has already ended; errors are only logged. */
export async function endServerSession() {
  await deleteSession().catch((reason: unknown) => console.warn("Couldn't end the cookie session.", reason));
}

/**
 * Exchange the ID token for the cookie. An error affects only guru sites, so it is logged and retried on the next
 * visit.
 * @returns whether guru sites know the user
 */
export async function exchangeToken(identity: Identity): Promise<boolean> {
  try {
    const token = await identity.getToken();
    if (!token) return false;
    await createSession(token);
    rememberSignedIn(Date.now());
    return true;
  } catch (reason) {
    console.warn("Couldn't sign in to guru sites.", reason);
    // The cookie counts as old, so that the next visit sends the request again.
    if (wasSignedIn()) rememberSignedIn(0);
    return false;
  }
}

/** The data known at the first sign-in. */
export type NewAccount = Pick<Registration, "displayName" | "firstName" | "lastName" | "photoURL">;

/**
 * Register the account with the API. An error is logged and blocks nothing (SPEC 7.2); `completeRegistration` sends it
 * again.
 * @returns whether the account is registered
 */
export async function registerAccount(user: SignedInUser, account: NewAccount): Promise<boolean> {
  const { displayName, firstName, lastName, photoURL } = account;
  try {
    await createAccount({
      email: user.email,
      displayName,
      ...(firstName && { firstName }),
      ...(lastName && { lastName }),
      skills: { offered: [], wanted: [] },
      location: readSavedLocation() ?? "",
      ...(photoURL && { photoURL }),
    });
    forgetNewAccount();
    return true;
  } catch (reason) {
    console.warn("Couldn't register the account with the API.", reason);
    rememberNewAccount(user.uid, account);
    return false;
  }
}

/**
 * Register a user whose profile has no name, because the call at the sign-up failed. In another browser, the name is
 * the identity provider's.
 * @returns whether the profile has changed
 */
export async function completeRegistration(user: SignedInUser, profileName: string): Promise<boolean> {
  if (profileName !== "") return false;
  const account = readNewAccount(user.uid) ?? { displayName: user.displayName };
  return account.displayName !== "" && (await registerAccount(user, account));
}
