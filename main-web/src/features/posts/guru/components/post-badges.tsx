import { Badge } from "@/components/ui/badge";
import { useConsole } from "@/features/console/contract";
import { POST_STATUS_LABELS, POST_STATUS_TONES, SITE_OFFLINE_LABEL } from "../lib/labels";
import type { PostStatus } from "../lib/types";

/** The status of a post as visitors see it, and whether it has edits that they do not see. */
export function PostBadges({ status, hasEdits }: { status: PostStatus; hasEdits: boolean }) {
  const guru = useConsole();
  const isOffline = status === "published" && guru.status !== "active";
  return (
    <>
      {isOffline ? (
        <Badge tone="neutral">{SITE_OFFLINE_LABEL}</Badge>
      ) : (
        <Badge tone={POST_STATUS_TONES[status]}>{POST_STATUS_LABELS[status]}</Badge>
      )}
      {hasEdits && status !== "draft" && status !== "hidden" && <Badge tone="warning">Edits not published</Badge>}
    </>
  );
}
