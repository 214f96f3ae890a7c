import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { minLength, object, string, type infer as Infer } from "zod/mini";
import { useSessionActions } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { Field, PasswordInput } from "@/components/ui/field";
import { toast } from "@/lib/toast-store";
import styles from "./profile.module.css";
import { authErrorText } from "@porchlight/shared/auth-errors";

const schema = object({
  password: string().check(minLength(1, "Password is required")),
  next: string().check(minLength(6, "Password must be at least 6 characters")),
});

/** Changes the password; requires the current one. */
export function PasswordForm({ email }: { email: string }) {
  const { changePassword } = useSessionActions();
  const form = useForm<Infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { password: "", next: "" },
  });
  const { errors, isSubmitting } = form.formState;

  async function submit({ password, next }: Infer<typeof schema>) {
    try {
      await changePassword(password, next);
      form.reset();
      toast.success("Password changed.");
    } catch (reason) {
      toast.error(authErrorText(reason));
    }
  }

  return (
    <form className={styles.password} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
      {/* Tells password managers which account the password belongs to. */}
      <input type="text" hidden readOnly autoComplete="username" value={email} aria-label="Email" />
      <h3 className={styles.legend}>Password</h3>
      <div className={styles.pair}>
        <Field label="Current password" error={errors.password?.message}>
          <PasswordInput autoComplete="current-password" {...form.register("password")} />
        </Field>
        <Field label="New password" error={errors.next?.message}>
          <PasswordInput autoComplete="new-password" {...form.register("next")} />
        </Field>
      </div>
      <Button type="submit" variant="secondary" size="sm" className={styles.start} loading={isSubmitting}>
        Change password
      </Button>
    </form>
  );
}
