import { Link } from "react-router-dom";
import { Notice } from "@/components/ui/notice";
import { joinWaitlistPath } from "../lib/book-page-url";
import { ApiError } from "@porchlight/shared/client";

type TimeErrorProps = {
  error: Error;
  /** The start that could not be had. */
  wanted: { guruLabel: string; serviceId: string; startsAt: string; party: number };
};

/** Why a time could not be kept or moved to, with a link to the waitlist of a full session. */
export function TimeError({ error, wanted }: TimeErrorProps) {
  const isFull = error instanceof ApiError && error.code === "session_full";
  return (
    <Notice tone="danger">
      {error.message} {isFull && <Link to={joinWaitlistPath(wanted)}>Join the waitlist</Link>}
    </Notice>
  );
}
