import { Send } from "lucide-react";
import { Card } from "@/components/ui/card";
import { RowFacts } from "@/components/ui/data-list";
import styles from "./lead.module.css";
import type { ConsoleLead } from "../lib/types";
import { formatDateTime } from "@porchlight/shared/format/dates";

/** The replies that were sent to a lead. */
export function SentReplies({ lead }: { lead: ConsoleLead }) {
  return (
    <>
      {lead.answers.map((mail) => (
        <Card as="article" key={mail.id} className={styles.answer}>
          <RowFacts>
            <Send size={15} aria-hidden="true" />
            <span>Your reply</span>
            <span>{sentText(mail.sentAt, lead.addressState === "blocked")}</span>
          </RowFacts>
          <p className={styles.body}>{mail.body}</p>
        </Card>
      ))}
    </>
  );
}

function sentText(sentAt: string | null, isBlocked: boolean): string {
  if (sentAt) return `sent ${formatDateTime(sentAt)}`;
  return isBlocked ? "not sent" : "sending…";
}
