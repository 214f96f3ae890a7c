import { useEffect, useState } from "react";

import { api } from "./api-client";
import type { Site } from "./types";

export interface CurrentUser {
  name: string;
  /** The subdomain of the guru site that the user owns. */
  site: string | null;
}

/** Whether the page belongs to the user's own site. */
export function ownsSite(user: CurrentUser | null, site: Site): boolean {
  return user !== null && user.site === site.guru.subdomain;
}

const SIGNED_IN_COOKIE = /(?:^|;\s*)porchlight_signed_in=/;
let request: Promise<CurrentUser | null | undefined> | undefined;
let lastReturn: Event | undefined;

/**
 * The user signed in on the main site, or null. The hook calls the API only when the readable marker cookie says that a
 * user is signed in, so that pages of most visitors make no request. When the page becomes visible again the hook
 * refetches, since the visitor may have signed in or out in another tab. Without an answer the known user stays: the
 * session has not ended because the call failed.
 */
export function useCurrentUser(): CurrentUser | null {
  const [user, setUser] = useState<CurrentUser | null>(null);
  useEffect(() => {
    let isCanceled = false;
    const load = () => {
      const isSignedIn = SIGNED_IN_COOKIE.test(document.cookie);
      if (isSignedIn) request ??= fetchCurrentUser();
      void (isSignedIn ? request : Promise.resolve(null))?.then((loaded) => {
        if (loaded === undefined) request = undefined;
        else if (!isCanceled) setUser(loaded);
      });
    };
    const onVisibilityChange = (event: Event) => {
      if (document.visibilityState !== "visible") return;
      // The first of the page's hooks begins the request, the others share it.
      if (event !== lastReturn) request = undefined;
      lastReturn = event;
      load();
    };
    load();
    document.addEventListener("visibilitychange", onVisibilityChange);
    return () => {
      isCanceled = true;
      document.removeEventListener("visibilitychange", onVisibilityChange);
    };
  }, []);
  return user;
}

/** Return the user, null for a visitor, or undefined without an answer. */
async function fetchCurrentUser(): Promise<CurrentUser | null | undefined> {
  try {
    const { data } = await api.GET("/auth/session");
    const user = data?.data.user;
    return user && { name: user.displayName, site: user.site };
  } catch {
    return undefined;
  }
}
