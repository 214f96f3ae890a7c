import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { errorMessage } from "@/lib/errors";
import type { Draft } from "@/lib/use-draft";
import { ButtonRow } from "@/components/ui/stack";
import styles from "./draft-footer.module.css";

type DraftFooterProps<T> = {
  draft: Draft<T>;
  /** Label of the save button. */
  action: string;
  /** What was changed elsewhere, such as "Your hours were". */
  changed: string;
  saved: string;
  /** Whether saving is possible without a change. */
  always?: boolean;
  /** Whether the form is valid; called before each save. */
  check: () => boolean;
};

/** The end of a form: its error, what to do when it was changed elsewhere, and the buttons. */
export function DraftFooter<T>({ draft, action, changed, saved, always = false, check }: DraftFooterProps<T>) {
  async function save(submit: () => Promise<boolean>) {
    if (check() && (await submit())) toast.success(saved);
  }

  return (
    <>
      {draft.error && <Notice tone="danger">{errorMessage(draft.error)}</Notice>}
      {draft.conflict && (
        <Notice tone="warning">
          {changed} changed in another tab or on another device. Your changes aren't lost.
          <span className={styles.decision}>
            <Button size="sm" variant="secondary" loading={draft.saving} onClick={() => void save(draft.overwrite)}>
              Save my version
            </Button>
            <Button size="sm" variant="ghost" onClick={draft.discard}>
              Use the other version
            </Button>
          </span>
        </Notice>
      )}
      <ButtonRow>
        <Button
          loading={draft.saving}
          disabled={draft.conflict || !(draft.isDirty || always)}
          onClick={() => void save(draft.submit)}
        >
          {action}
        </Button>
        {draft.isDirty && !draft.conflict && (
          <Button variant="ghost" onClick={draft.discard}>
            Discard
          </Button>
        )}
      </ButtonRow>
    </>
  );
}
