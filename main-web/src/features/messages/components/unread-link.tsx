import { MessageCircle } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useImpersonation } from "@/lib/impersonation";
import { useLiveMessages } from "../lib/use-live-messages";
import type { Side } from "../lib/types";
import styles from "./unread-link.module.css";

type UnreadLinkProps = { userId: string; side: Side };

/** The link to the messages in the header, with how many are unread. Staff who look at a console see none of them. */
export function UnreadLink(props: UnreadLinkProps) {
  const isImpersonating = useImpersonation() !== null;
  return useFlag("messaging") && !isImpersonating ? <LiveLink {...props} /> : null;
}

function LiveLink({ userId, side }: UnreadLinkProps) {
  const unread = useLiveMessages(userId);
  return (
    <Link
      to={side === "guru" ? paths.guruMessages : paths.messages}
      className={styles.link}
      data-messages=""
      aria-label={unread > 0 ? `Messages, ${unread} unread` : "Messages"}
    >
      <MessageCircle size={20} aria-hidden="true" />
      {unread > 0 && (
        <span className={styles.count} aria-hidden="true">
          {unread > 99 ? "99+" : unread}
        </span>
      )}
    </Link>
  );
}
