import type { QueryPersister } from "@tanstack/react-query";
import { currentImpersonation } from "./impersonation";
import { readRememberedUser } from "./session/session-storage";

/** The pages that show their last answers without a connection: the dashboard, the sessions and one session. */
const PAGES = /^\/(dashboard|sessions(\/[^/]+)?)\/?$/;

/** Answers that say nothing later: the count in the header, and who is free this evening. */
const FLEETING = new Set<unknown>(["notification-count", "porch-lights"]);

/** Tell whether a page shows its last answers without a connection. */
export const keepsAnswers = (pathname: string) => PAGES.test(pathname);

/**
 * Ask the server, or show the last answer where it does not reply, on pages that keep theirs. Nothing is kept for staff
 * who look at the site as a guru. Visitors who are not signed in never load the code for it.
 */
export const keepAnswers: QueryPersister = async (ask, context, query) => {
  const user = readRememberedUser();
  const request = () => Promise.resolve(ask(context));
  const isKept = keepsAnswers(window.location.pathname) && !FLEETING.has(query.queryKey[0]);
  if (!user || currentImpersonation() || !isKept) return request();
  const kept = await import("./kept-answers").catch(() => null);
  return kept ? kept.answerOrKept(request, { userId: user.uid, query, client: context.client }) : request();
};
