import { useEffect, useState } from "react";

export interface Neighbour {
  name: string;
}

const MARKER = /(?:^|;\s*)porchlight_signed_in=/;
let asked: Promise<Neighbour | null> | undefined;

/**
 * Who is signed in on the main platform, or null. Asks the API only when the readable marker cookie says that
 * somebody is: an ordinary visitor's page makes no request. A page that comes to sight again asks anew, since its
 * visitor may have come or left on another tab.
 */
export function useNeighbour(): Neighbour | null {
  const [neighbour, setNeighbour] = useState<Neighbour | null>(null);
  useEffect(() => {
    let gone = false;
    const look = () => {
      const signedIn = MARKER.test(document.cookie);
      if (signedIn) asked ??= fetchNeighbour();
      void (signedIn ? asked : Promise.resolve(null))?.then((answer) => {
        if (!gone) setNeighbour(answer);
      });
    };
    const lookAgain = () => {
      if (document.visibilityState !== "visible") return;
      asked = undefined;
      look();
    };
    look();
    document.addEventListener("visibilitychange", lookAgain);
    return () => {
      gone = true;
      document.removeEventListener("visibilitychange", lookAgain);
    };
  }, []);
  return neighbour;
}

interface SessionAnswer {
  success?: boolean;
  data?: { user?: { displayName?: string | null } | null } | null;
}

async function fetchNeighbour(): Promise<Neighbour | null> {
  try {
    const response = await fetch("/api/auth/session", { headers: { accept: "application/json" } });
    if (!response.ok) return null;
    const answer = (await response.json()) as SessionAnswer;
    const user = answer.success === true ? answer.data?.user : null;
    return user === null || user === undefined ? null : { name: user.displayName ?? "" };
  } catch {
    // A visitor who cannot be recognised may still sign in again.
    return null;
  }
}
