import { useMemo } from "react";
import { placeLabel, sessionTime } from "../../lib/session-texts";
import { qrCode } from "../lib/qr-code";
import { formatCode } from "../lib/signed-pass";
import type { Pass } from "../lib/types";
import styles from "./passes.module.css";
import { formatClock } from "@porchlight/shared/format/session-times";
import { formatList } from "@porchlight/shared/format/numbers";

/** The pass of a session: the code to scan, and what a guru reads beside it. */
export function PassCard({ pass }: { pass: Pass }) {
  const code = useMemo(() => qrCode(pass.text), [pass.text]);
  const { time, other } = sessionTime(pass);
  const others = pass.participants.filter((name) => name !== pass.personName);
  return (
    <section className={styles.card} aria-label="Your pass">
      <svg
        className={styles.code}
        viewBox={code.viewBox}
        shapeRendering="crispEdges"
        role="img"
        aria-label="QR code of your pass"
      >
        <path d={code.path} fill="#000" />
      </svg>
      <p>
        <span className={styles.label}>Or say this code</span>
        <span className={styles.typed}>{formatCode(pass.code)}</span>
      </p>
      <div className={styles.facts}>
        <p className={styles.who}>{pass.personName}</p>
        {pass.party > 1 && (
          <p>
            {pass.party} spots{others.length > 0 && `, with ${formatList(others)}`}
          </p>
        )}
        <p>
          <time dateTime={pass.startsAt}>{time}</time>
          {other && ` (${other})`}
        </p>
        <p>{placeLabel(pass, pass.placeText)}</p>
        {pass.placeText && <p className={styles.userText}>{pass.placeText}</p>}
      </div>
      {pass.checkedInAt !== null && <p>You were checked in at {formatClock(pass.checkedInAt, pass.zone)}.</p>}
    </section>
  );
}
