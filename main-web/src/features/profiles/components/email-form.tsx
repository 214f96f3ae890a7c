import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { object, refine, string, type infer as Infer } from "zod/mini";
import { useSessionActions, type SignedInUser } from "@/lib/session/session-context";
import { Button } from "@/components/ui/button";
import { Field, Input, PasswordInput } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { emailField } from "@/lib/email-field";
import { ProofField, proofMethod, useProof, type ProofMethod } from "./identity-proof";
import styles from "./profile.module.css";
import { authErrorText } from "@porchlight/shared/auth-errors";
import { fieldErrors } from "@porchlight/shared/client";

function schemaFor(present: string, method: ProofMethod) {
  return object({
    next: emailField("Email is required", "Email is invalid").check(
      refine((text) => text.toLowerCase() !== present.toLowerCase(), "This is already your email address."),
    ),
    password: string().check(
      refine((text) => method === "google" || text !== "", {
        error: method === "password" ? "Password is required" : "Type the code from our email",
      }),
    ),
  });
}

/** Changes the email address: the new one gets a link and takes effect once it is opened. */
export function EmailForm({ user }: { user: SignedInUser }) {
  const { email } = user;
  const proof = useProof(proofMethod(user), email);
  const { changeEmail } = useSessionActions();
  const [outcome, setOutcome] = useState<{ tone: "success" | "danger"; text: string } | null>(null);
  const schema = schemaFor(email, proof.method);
  const form = useForm<Infer<typeof schema>>({
    resolver: zodResolver(schema),
    defaultValues: { next: "", password: "" },
  });
  const { errors, isSubmitting } = form.formState;

  async function submit({ next, password }: Infer<typeof schema>) {
    setOutcome(null);
    try {
      await changeEmail(proof.of(password), next);
      form.reset();
      setOutcome({
        tone: "success",
        text: `We sent a link to ${next}. Click it to switch to that address. Until then, keep signing in with your current one.`,
      });
    } catch (reason) {
      const { email: field, code } = fieldErrors(reason);
      if (field) form.setError("next", { message: field }, { shouldFocus: true });
      else if (code) form.setError("password", { message: code }, { shouldFocus: true });
      else setOutcome({ tone: "danger", text: authErrorText(reason) });
    }
  }

  return (
    <form className={styles.password} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
      <h3 className={styles.legend}>Email address</h3>
      <div className={styles.pair}>
        <Field label="New email address" error={errors.next?.message}>
          <Input type="email" autoComplete="email" {...form.register("next")} />
        </Field>
        <ProofField
          proof={proof}
          error={errors.password?.message}
          password={
            <Field label="Confirm with your password" error={errors.password?.message}>
              <PasswordInput autoComplete="current-password" {...form.register("password")} />
            </Field>
          }
          digits={form.register("password")}
        />
      </div>
      {outcome && <Notice tone={outcome.tone}>{outcome.text}</Notice>}
      <Button type="submit" variant="secondary" size="sm" className={styles.start} loading={isSubmitting}>
        Change email address
      </Button>
    </form>
  );
}
