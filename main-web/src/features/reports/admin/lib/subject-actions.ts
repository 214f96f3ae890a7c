import type { ReportDetail } from "./types";

type Kind = ReportDetail["kind"];

/** The words of what staff can do with a reported subject: the button, its result, and the consequences. */
export type SubjectAction = { verb: string; noun: string; done: string; consequence: string; maxReason: number };

const SUSPEND_ACCOUNT: SubjectAction = {
  verb: "Suspend",
  noun: "account",
  done: "Account suspended.",
  consequence: "Signs them out everywhere. They can't sign in until the account is restored, and a site goes offline.",
  maxReason: 1000,
};

export const SUBJECT_ACTIONS: Record<Kind, SubjectAction> = {
  post: {
    verb: "Hide",
    noun: "post",
    done: "Post hidden.",
    consequence: "The post leaves the site now. The guru reads your reason and can change the post, not publish it.",
    maxReason: 1000,
  },
  listing: {
    verb: "Hide",
    noun: "listing",
    done: "Listing hidden.",
    consequence: "It's hidden everywhere, even if re-added.",
    maxReason: 1000,
  },
  review: {
    verb: "Remove",
    noun: "review",
    done: "Review removed.",
    consequence: "The words and the stars disappear. Everyone reads your reason in their place.",
    maxReason: 300,
  },
  site: {
    verb: "Suspend",
    noun: "site",
    done: "Site suspended.",
    consequence: "Takes the site offline immediately. No data is deleted. The guru sees the reason in their console.",
    maxReason: 1000,
  },
  profile: SUSPEND_ACCOUNT,
  thread: SUSPEND_ACCOUNT,
};

/** What became of a reported subject since, or what is true of it now. */
export const SUBJECT_STATES: Record<ReportDetail["subjectState"], string> = {
  shown: "Visible",
  unpublished: "Not public (its owner's choice)",
  hidden: "Hidden by staff",
  removed: "Removed by staff",
  suspended: "Suspended",
  gone: "Deleted",
};

/** Whether staff took the subject down and can bring it back. */
export function canBringBack({ subjectState }: Pick<ReportDetail, "subjectState">): boolean {
  return subjectState === "hidden" || subjectState === "suspended";
}

/** Whether there is something to take down. Private messages are not public: their author's account is what acts. */
export function canTakeDown({
  kind,
  owner,
  subjectState,
}: Pick<ReportDetail, "kind" | "owner" | "subjectState">): boolean {
  if (kind === "thread") return owner !== null && subjectState === "shown";
  return subjectState === "shown" || (kind !== "post" && kind !== "listing" && subjectState === "unpublished");
}
