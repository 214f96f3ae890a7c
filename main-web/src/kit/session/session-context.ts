import { createContext, useContext } from "react";

/** What the identity service knows of the person at the keyboard. */
export type SignedInUser = {
  uid: string;
  email: string;
  displayName: string;
  photoURL: string | null;
  emailVerified: boolean;
};

export type Session =
  | { status: "loading"; user: null }
  | { status: "signed-out"; user: null }
  | { status: "signed-in"; user: SignedInUser };

export const SessionContext = createContext<Session>({ status: "signed-out", user: null });

/** Who is signed in. Below the provider the status is never "loading" except in the header of a first paint. */
export function useSession(): Session {
  return useContext(SessionContext);
}
