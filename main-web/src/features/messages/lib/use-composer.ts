import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { refreshMessages } from "./live";
import {
  addPending,
  deletePending,
  EMPTY_DRAFT,
  readDraft,
  saveDraft,
  type Draft,
  type Pending,
  type Target,
} from "./outbox";
import { sendOutbox } from "./send-outbox";
import { MAX_BODY_LENGTH } from "./texts";
import { useAttachments } from "./use-attachments";

/** The message that is being written to a target. It is kept in this browser with each change, until it is sent. */
export function useComposer(target: Target, firstWords = "") {
  const userId = useCurrentUserId();
  const queries = useQueryClient();
  const [first] = useState<Draft>(() => {
    const kept = readDraft(userId, target);
    return kept.body === "" && kept.files.length === 0 ? { ...EMPTY_DRAFT, body: firstWords } : kept;
  });

  const [draft, setDraft] = useState(first);
  // Files arrive while the person goes on typing.
  const newest = useRef(first);

  function update(next: (before: Draft) => Draft) {
    newest.current = next(newest.current);
    setDraft(newest.current);
    saveDraft(userId, target, newest.current);
  }

  const attachments = useAttachments({
    files: draft.files,
    onAdd: (file) => update((before) => ({ ...before, files: [...before.files, file] })),
  });
  const body = draft.body.trim();

  function send() {
    addPending(userId, { key: createIdempotencyKey(), target, body, files: draft.files });
    update(() => EMPTY_DRAFT);
    void sendOutbox(userId, queries).then(refreshMessages);
  }

  return {
    body: draft.body,
    files: draft.files,
    attachments,
    canSend: (body !== "" || draft.files.length > 0) && body.length <= MAX_BODY_LENGTH && !attachments.isUploading,
    change: (text: string) => update((before) => ({ ...before, body: text })),
    removeFile: (id: string) => update((before) => ({ ...before, files: before.files.filter((one) => one.id !== id) })),
    send,
    /** Take back a message that was not sent. What is typed meanwhile follows it. */
    edit(message: Pending) {
      deletePending(userId, message.key);
      update((before) => ({
        body: [message.body, before.body].filter(Boolean).join("\n"),
        files: [...message.files, ...before.files],
      }));
    },
  };
}
