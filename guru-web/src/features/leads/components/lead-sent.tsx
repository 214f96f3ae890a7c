import { Icon } from "../../../components/ui/icon";
import type { Guru } from "../../../lib/types";

interface LeadSentProps {
  guru: Guru;
  message: string;
  /** Shows the empty form again. Undefined after a POST without JavaScript; the link then loads the page. */
  onReset: (() => void) | undefined;
}

export function LeadSent({ guru, message, onReset }: LeadSentProps) {
  return (
    <div className="panel form-success" role="status">
      <Icon name="circle-check" />
      <h2>Message sent</h2>
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
