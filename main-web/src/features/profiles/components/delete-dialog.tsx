import { useForm, useWatch } from "react-hook-form";
import { useSessionActions, type SignedInUser } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, PasswordInput } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { DeletionLoss } from "./deletion-loss";
import { ProofField, proofMethod, useProof } from "./identity-proof";
import styles from "./profile.module.css";
import { authErrorText } from "@porchlight/shared/auth-errors";
import { fieldErrors } from "@porchlight/shared/client";

const CONFIRMATION = "DELETE";

/** Deletes the account, after a typed confirmation and reauthentication. */
export function DeleteDialog({ user, onClose }: { user: SignedInUser; onClose: () => void }) {
  const { deleteAccount } = useSessionActions();
  const form = useForm({ defaultValues: { word: "", password: "" } });
  const { errors, isSubmitting } = form.formState;
  const { word, password } = useWatch({ control: form.control });
  const proof = useProof(proofMethod(user), user.email);
  const isConfirmed = word?.trim() === CONFIRMATION && proof.isComplete(password ?? "");

  async function submit(values: { password: string }) {
    if (!isConfirmed) return;
    try {
      await deleteAccount(proof.of(values.password));
      toast.success("Your account has been deleted.");
    } catch (reason) {
      form.setError("root", { message: fieldErrors(reason).code ?? authErrorText(reason) });
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Delete my account"
      description="This can't be undone."
    >
      <form className={styles.dialog} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
        <DeletionLoss />
        <div className={styles.terms}>
          <h3>What we delete</h3>
          <p>
            Your profile, photo, skills, documents, sessions, email address and sign-in account. If you're a guru, we
            also delete your site and everything on it.
          </p>
          <h3>What we keep</h3>
          <p>
            A record without personal data, so an old sign-in can’t restore your account. The amounts of payments and
            payouts, for seven years, without your bank account, card or email address. Messages you sent to gurus stay
            with them. Contact them to have those deleted.
          </p>
        </div>
        <Field label={`Type ${CONFIRMATION} to confirm`}>
          <Input autoComplete="off" spellCheck={false} {...form.register("word")} />
        </Field>
        <ProofField
          proof={proof}
          password={
            <Field label="Your password">
              <PasswordInput autoComplete="current-password" {...form.register("password")} />
            </Field>
          }
          digits={form.register("password")}
        />
        {errors.root && <Notice tone="danger">{errors.root.message}</Notice>}
        <div className={styles.ends}>
          <Button variant="ghost" onClick={onClose}>
            Keep my account
          </Button>
          <Button type="submit" variant="danger" disabled={!isConfirmed} loading={isSubmitting}>
            Delete permanently
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
