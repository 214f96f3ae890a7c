import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Notice } from "@/components/ui/notice";
import { formatSessionStart } from "@porchlight/shared/format/session-times";
import { ApiError } from "@porchlight/shared/client";

/** Says why a session or a series was not booked; of a series, which times are gone. */
export function BookingError({ error, zone }: { error: Error | null; zone: string }) {
  if (error === null) return null;
  const code = error instanceof ApiError ? error.code : "";
  if (code === "email_unverified") {
    return <Notice tone="danger">Please verify your email address first. We sent you a link.</Notice>;
  }
  const gone = error instanceof ApiError && code === "series_partly_gone" ? Object.entries(error.fields) : [];
  return (
    <Notice tone="danger">
      {error.message} {code === "already_booked" && <Link to={paths.sessions}>See my sessions</Link>}
      {gone.length > 0 && (
        <ul>
          {gone.map(([start, reason]) => (
            <li key={start}>
              {formatSessionStart(start, zone)}: {reason}
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
