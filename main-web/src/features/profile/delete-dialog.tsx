import { useState, type SyntheticEvent } from "react";
import { useSessionActions } from "../../kit/session/session-context";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, Input, PasswordInput } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import styles from "./profile.module.css";
import { authErrorText } from "@porchlight/shared/auth-errors";

const WORD = "DELETE";

/** The end of an account, after a typed word and a fresh proof of who asks. */
export function DeleteDialog({ byPassword, onClose }: { byPassword: boolean; onClose: () => void }) {
  const { deleteAccount } = useSessionActions();
  const [word, setWord] = useState("");
  const [password, setPassword] = useState("");
  const [state, setState] = useState<{ busy: boolean; refusal: string }>({ busy: false, refusal: "" });
  const ready = word.trim() === WORD && (!byPassword || password !== "");

  async function erase(event: SyntheticEvent) {
    event.preventDefault();
    if (!ready || state.busy) return;
    setState({ busy: true, refusal: "" });
    try {
      await deleteAccount(byPassword ? password : null);
      toast.success("Your account has been deleted.");
    } catch (reason) {
      setState({ busy: false, refusal: authErrorText(reason) });
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Delete my account"
      description="This cannot be undone."
    >
      <form className={styles.dialog} noValidate onSubmit={(event) => void erase(event)}>
        <div className={styles.terms}>
          <h3>What is erased</h3>
          <p>
            Your profile, photo, skills, documents, sessions and email address, and the account you sign in with. If you are
            a guru, your site goes too, with all that is on it.
          </p>
          <h3>What stays</h3>
          <p>
            A mark without personal data, so that an old sign-in brings nothing back. Messages you left on gurus’ sites
            belong to those gurus’ correspondence: ask them.
          </p>
        </div>
        <Field label={`Type ${WORD} to confirm`}>
          <Input autoComplete="off" spellCheck={false} value={word} onChange={(event) => setWord(event.target.value)} />
        </Field>
        {byPassword ? (
          <Field label="Your password">
            <PasswordInput
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
        ) : (
          <p className={styles.hint}>Google will ask once more who you are.</p>
        )}
        {state.refusal && <Notice tone="danger">{state.refusal}</Notice>}
        <div className={styles.ends}>
          <Button variant="ghost" onClick={onClose}>
            Keep my account
          </Button>
          <Button type="submit" variant="danger" disabled={!ready} loading={state.busy}>
            Delete for good
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
