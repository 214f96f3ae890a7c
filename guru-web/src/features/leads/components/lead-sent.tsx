import { useEffect, useRef } from "react";

import { Icon } from "../../../components/ui/icon";
import type { Guru } from "../../../lib/types";
import { LEAD_ID } from "../lib/lead";

interface LeadSentProps {
  guru: Guru;
  message: string;
  /** Shows the empty form again. Undefined after a POST without JavaScript; the link then loads the page. */
  onReset: (() => void) | undefined;
}

/** The end of the lead form. Takes the focus and, on a phone, the view: the form it replaces is longer. */
export function LeadSent({ guru, message, onReset }: LeadSentProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const isInPlace = onReset !== undefined;
  useEffect(() => {
    if (isInPlace) heading.current?.focus();
  }, [isInPlace]);
  return (
    <div className="panel form-success" id={LEAD_ID} role="status">
      <Icon name="circle-check" />
      <h2 ref={heading} tabIndex={-1}>
        Message sent
      </h2>
      <p>{message === "" ? `Thanks! ${guru.character} will reply soon.` : message}</p>
      <a
        className="button button-secondary"
        href="/contact"
        onClick={(event) => {
          if (onReset === undefined) return;
          event.preventDefault();
          onReset();
        }}
      >
        Send another message
      </a>
    </div>
  );
}
