import { NotebookPen, Trash2 } from "lucide-react";
import { useForm } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, TextArea } from "@/components/ui/field";
import { toast } from "@/lib/toast-store";
import { Stack } from "@/components/ui/stack";
import { RowText } from "@/components/ui/data-list";
import { Hint } from "@/components/ui/hint";
import { errorMessage } from "@/lib/errors";
import { useCreateLeadNote } from "../api/create-lead-note";
import { useDeleteLeadNote } from "../api/delete-lead-note";
import styles from "./lead.module.css";
import type { ConsoleLead } from "../lib/types";
import { formatDateTime } from "@porchlight/shared/format/dates";

/** The guru's private notes about a lead. */
export function LeadNotes({ lead }: { lead: ConsoleLead }) {
  const write = useCreateLeadNote(lead.id);
  const remove = useDeleteLeadNote(lead.id);
  const form = useForm({ defaultValues: { body: "" } });

  async function addNote({ body }: { body: string }) {
    if (!body.trim()) return;
    try {
      await write.mutateAsync(body.trim());
      form.reset();
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  async function deleteNote(note: string) {
    try {
      await remove.mutateAsync(note);
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  return (
    <Card as="section" aria-labelledby="lead-notes">
      <Stack>
        <h2 id="lead-notes" className={styles.notes}>
          <NotebookPen size={18} aria-hidden="true" />
          Private notes
        </h2>
        {lead.notes.length === 0 && <Hint>Only you can see these.</Hint>}
        {lead.notes.length > 0 && (
          <ul className={styles.list}>
            {lead.notes.map((note) => (
              <li key={note.id} className={styles.note}>
                <RowText>
                  <p className={styles.body}>{note.body}</p>
                  <Hint>{formatDateTime(note.createdAt)}</Hint>
                </RowText>
                <Button
                  size="sm"
                  variant="ghost"
                  disabled={remove.isPending}
                  aria-label={`Delete note from ${formatDateTime(note.createdAt)}`}
                  onClick={() => void deleteNote(note.id)}
                >
                  <Trash2 size={15} aria-hidden="true" />
                </Button>
              </li>
            ))}
          </ul>
        )}
        <Field label="Add a note">
          <TextArea rows={3} maxLength={4_000} {...form.register("body")} />
        </Field>
        <div>
          <Button
            size="sm"
            variant="secondary"
            loading={write.isPending}
            onClick={() => void form.handleSubmit(addNote)()}
          >
            Save note
          </Button>
        </div>
      </Stack>
    </Card>
  );
}
