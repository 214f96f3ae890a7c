import { useState, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import type { Proof, SignedInUser } from "@/lib/session/session-context";
import { sendSignInCode } from "@/lib/session/sign-in-code";
import styles from "./profile.module.css";
import { authErrorText } from "@porchlight/shared/auth-errors";

/** How a user shows again that it is them: what they sign in with. */
export type ProofMethod = "password" | "google" | "code";

export function proofMethod({ hasPassword, hasGoogle }: SignedInUser): ProofMethod {
  if (hasPassword !== false) return "password";
  return hasGoogle ? "google" : "code";
}

/** Hold the code that was sent, and make the proof of what was typed. */
export function useProof(method: ProofMethod, email: string) {
  const [codeId, setCodeId] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function send() {
    setSending(true);
    setProblem(undefined);
    try {
      setCodeId((await sendSignInCode(email)).id);
    } catch (reason) {
      setProblem(authErrorText(reason));
    } finally {
      setSending(false);
    }
  }

  return {
    method,
    email,
    codeId,
    sending,
    problem,
    send: () => void send(),
    /** Whether what was typed can be a proof. */
    isComplete: (typed: string) =>
      method === "google" || (method === "password" ? typed !== "" : codeId !== null && /^\d{6}$/.test(typed.trim())),
    of: (typed: string): Proof => {
      if (method === "google") return null;
      return method === "password" ? typed : { id: codeId ?? "", digits: typed.trim() };
    },
  };
}

type ProofFieldProps = {
  proof: ReturnType<typeof useProof>;
  error?: string | undefined;
  /** The field of the password. */
  password: ReactNode;
  /** The props of the field of the digits. */
  digits: React.ComponentProps<"input">;
};

/** The field with which a user shows that it is them. */
export function ProofField({ proof, error, password, digits }: ProofFieldProps) {
  if (proof.method === "password") return password;
  if (proof.method === "google") return <p className={styles.hint}>Google will ask you to confirm it's you.</p>;
  if (proof.codeId === null)
    return (
      <div>
        <p className={styles.hint}>To make sure it's you, we'll email a code to {proof.email}.</p>
        <Button variant="secondary" size="sm" loading={proof.sending} onClick={proof.send}>
          Email me a code
        </Button>
        {proof.problem && <p role="alert">{proof.problem}</p>}
      </div>
    );
  return (
    <Field label="Code from our email" hint={`We sent it to ${proof.email}.`} error={error}>
      <Input inputMode="numeric" autoComplete="one-time-code" maxLength={6} {...digits} />
    </Field>
  );
}
