import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, TextArea } from "@/components/ui/field";
import { Hint } from "@/components/ui/hint";
import { Notice } from "@/components/ui/notice";
import { SectionCard } from "@/components/ui/section-card";
import { ButtonRow } from "@/components/ui/stack";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { useSaveClientNote } from "./clients-api";
import styles from "./client-page.module.css";
import type { ClientDetails } from "./types";
import { formatNumber, pluralize } from "@porchlight/shared/format/numbers";

const MAX_NOTE = 2000;

/**
 * The guru's private note about a client. What was typed stays until it is saved: also if the note was changed in
 * another tab meanwhile, which is then shown beside it.
 */
export function ClientNoteForm({ client }: { client: ClientDetails }) {
  const { note } = client;
  const save = useSaveClientNote(client.id);
  // What the guru typed, and the digest of the note that they typed over.
  const [typed, setTyped] = useState<{ body: string; over: string } | null>(null);
  const body = typed?.body ?? note.body;
  const isUnsaved = typed !== null && typed.body.trim() !== note.body;
  const isConflict = isUnsaved && typed.over !== note.digest;
  const surplus = body.length - MAX_NOTE;

  async function submit() {
    if (surplus > 0) return;
    try {
      await save.mutateAsync({ body, digest: isConflict || typed === null ? note.digest : typed.over });
    } catch {
      return; // the form shows why
    }
    setTyped(null);
    toast.success("Saved.");
  }

  return (
    <SectionCard id="client-note" title="Private note" hint={`Only you can see this, not ${client.name}.`}>
      {save.isError && !isConflict && <Notice tone="danger">{errorMessage(save.error)}</Notice>}
      {isConflict && (
        <Notice tone="warning">
          <p>You changed this note somewhere else. The saved note is:</p>
          <p className={styles.saved}>{note.body || "(empty)"}</p>
        </Notice>
      )}
      <Field
        label={`Note about ${client.name}`}
        error={surplus > 0 ? `That's ${pluralize(surplus, "character")} too long. Please shorten it.` : undefined}
      >
        <TextArea
          rows={8}
          value={body}
          onChange={(event) => {
            const written = event.target.value;
            setTyped((before) => ({ body: written, over: before?.over ?? note.digest }));
          }}
        />
      </Field>
      <Hint>
        {formatNumber(body.length)} of {formatNumber(MAX_NOTE)} characters
      </Hint>
      <ButtonRow>
        <Button size="sm" disabled={!isUnsaved || surplus > 0} loading={save.isPending} onClick={() => void submit()}>
          {isConflict ? "Replace the saved note" : "Save note"}
        </Button>
        {isUnsaved && (
          <Button size="sm" variant="ghost" disabled={save.isPending} onClick={() => setTyped(null)}>
            {isConflict ? "Keep the saved note" : "Undo changes"}
          </Button>
        )}
      </ButtonRow>
      <UnsavedGuard unsaved={isUnsaved} />
    </SectionCard>
  );
}
