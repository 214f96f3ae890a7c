import { placeLabel, preparation } from "../lib/session-texts";
import type { BookedSession } from "../lib/types";
import styles from "./booking-frame.module.css";
import { PlaceAddress } from "./place-address";
import texts from "./sessions.module.css";

type SessionPlaceProps = {
  session: Pick<BookedSession, "place" | "guruName"> & Parameters<typeof preparation>[0];
  /** The address or link, "" while it is not known. */
  address?: string;
};

/** Where a session takes place and what to prepare, as part of the frame. */
export function SessionPlace({ session, address = "" }: SessionPlaceProps) {
  return (
    <dl className={styles.facts}>
      <div>
        <dt className="visually-hidden">Where</dt>
        <dd>
          {placeLabel(session, address)}
          {address !== "" && <PlaceAddress text={address} />}
        </dd>
      </div>
      {preparation(session).map(({ label, text }) => (
        <div key={label}>
          <dt className="visually-hidden">{label}</dt>
          <dd className={texts.userText}>
            <span aria-hidden="true">{label}: </span>
            {text}
          </dd>
        </div>
      ))}
    </dl>
  );
}
