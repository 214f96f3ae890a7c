import type { Ref } from "react";
import { Button } from "@/components/ui/button";
import type { useWaiverText } from "../api/get-waiver-text";
import styles from "./waiver-modal.module.css";
import { WaiverTextBody } from "./waiver-text";

/** The texts to confirm, in a box that scrolls. */
export function WaiverTextBox({ text, ref }: { text: ReturnType<typeof useWaiverText>; ref: Ref<HTMLDivElement> }) {
  const { data: shown } = text;
  return (
    <>
      {/* Focusable, so that the keyboard can scroll it. */}
      <div
        ref={ref}
        className={styles.textBox}
        role="region"
        aria-label="Waiver text"
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-busy={text.isPending}
      >
        {shown && <h3>{shown.title}</h3>}
        {shown && <WaiverTextBody body={shown.body} />}
        {shown?.guruText && (
          <>
            <h3 className={styles.guruTitle}>From {shown.guruText.guruName}</h3>
            <p className={styles.guruText}>{shown.guruText.body}</p>
          </>
        )}
        {text.isPending && <p role="status">Loading the waiver…</p>}
        {text.isError && <p role="alert">{`We couldn't load the waiver. ${text.error.message}`}</p>}
      </div>
      {text.isError && (
        <Button variant="secondary" size="sm" onClick={() => void text.refetch()} loading={text.isFetching}>
          Try again
        </Button>
      )}
    </>
  );
}
