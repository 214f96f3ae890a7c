import { useQuery, skipToken } from "@tanstack/react-query";
import { MessageCircle } from "lucide-react";
import { Link } from "react-router-dom";
import { BlockRow } from "@/components/dashboard/block";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { Button } from "@/components/ui/button";
import type { MessagesState } from "../lib/apply-changes";
import { messageKeys } from "../lib/query-keys";
import { pluralize } from "@porchlight/shared/format/numbers";

/** A dashboard card: how many messages are unread, as the link in the header knows. Nothing without one. */
export function UnreadCard() {
  const userId = useCurrentUserId();
  const isOn = useFlag("messaging");
  const state = useQuery<MessagesState>({ queryKey: messageKeys.state(userId), queryFn: skipToken, gcTime: Infinity });
  const unread = state.data?.unread ?? 0;
  if (!isOn || unread === 0) return null;
  return (
    <BlockRow
      icon={MessageCircle}
      title={pluralize(unread, "unread message")}
      text="A neighbor wrote to you."
      action={
        <Button asChild size="sm">
          <Link to={paths.messages}>Read</Link>
        </Button>
      }
    />
  );
}
