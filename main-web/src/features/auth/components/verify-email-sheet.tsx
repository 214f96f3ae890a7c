import { useQueryClient } from "@tanstack/react-query";
import { useSession } from "@/lib/session/session-context";
import { useEmailVerification, useVerificationCheck } from "@/lib/session/use-email-verification";
import { toast } from "@/lib/toast-store";
import { closeVerifyEmailSheet } from "@/lib/verify-email-store";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

/** A dialog about the email address to verify. It covers the page, which keeps what was typed, and closes by itself. */
export function VerifyEmailSheet() {
  const session = useSession();
  const queries = useQueryClient();
  const { busy, resend, check } = useEmailVerification(goOn);
  useVerificationCheck(goOn);

  function goOn() {
    closeVerifyEmailSheet();
    toast.success("Your email is verified. You can go on now.");
    // What the page could not load is there now.
    void queries.invalidateQueries({ predicate: (query) => query.state.status === "error" });
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && closeVerifyEmailSheet()}
      title="Verify your email"
      description="This needs an email address that you have confirmed."
      footer={
        <>
          <Button variant="ghost" loading={busy === "check"} onClick={() => void check()}>
            I've verified my email
          </Button>
          <Button loading={busy === "resend"} onClick={() => void resend()}>
            Resend email
          </Button>
        </>
      }
    >
      <p>
        We sent a link to{" "}
        {session.status === "signed-in" ? <strong>{session.user.email}</strong> : "your email address"}. Open it, then
        come back. What you've entered stays here.
      </p>
    </Dialog>
  );
}
