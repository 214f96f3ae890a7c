import { Button } from "@/components/ui/button";
import { Confirm } from "@/components/ui/confirm";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { PLAN_NAMES } from "@/lib/plan-names";
import { toast } from "@/lib/toast-store";
import { paymentErrorText } from "@/lib/payment-error-text";
import { useChangePlan, type ChangeResult } from "../api/change-plan";
import { useChangePreview } from "../api/get-change-preview";
import type { Target } from "../lib/choices";
import { previewTexts } from "../lib/plan-texts";
import styles from "./plan.module.css";

type ChangeDialogProps = { uid: string; currentName: string; target: Target; onClose: () => void };

/** Show what a change means and costs before it is made. */
export function ChangeDialog({ uid, currentName, target, onClose }: ChangeDialogProps) {
  const preview = useChangePreview(uid, target);
  const change = useChangePlan(uid);
  const kind = preview.data?.kind;
  const name = PLAN_NAMES[target.plan] ?? target.plan;
  const confirm = () => {
    if (!preview.data || change.isPending) return;
    change.mutate(
      { ...target, proratedAt: preview.data.proratedAt },
      { onSuccess: (result) => !showResult(result, kind === "upgrade" ? name : null) || onClose() },
    );
  };
  const error = change.error ?? preview.error;
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        target.plan === "community"
          ? `Cancel ${currentName}?`
          : kind === "keep"
            ? `Keep ${name}?`
            : `Change to ${name}?`
      }
      action={target.plan === "community" ? "Cancel plan" : kind === "upgrade" ? "Pay and change" : "Confirm"}
      actionVariant={target.plan === "community" ? "danger" : "primary"}
      cancel={target.plan === "community" ? "Keep plan" : "Not now"}
      busy={change.isPending || preview.isPending}
      onConfirm={confirm}
    >
      <div className={styles.texts} aria-busy={preview.isPending}>
        {preview.isPending && (
          <>
            <p className="visually-hidden">Loading what this costs...</p>
            <Skeleton height="3rem" radius="md" />
          </>
        )}
        {preview.data && previewTexts(preview.data, currentName).map((text) => <p key={text}>{text}</p>)}
        {change.data?.state === "unpaid" && (
          <Notice tone="danger">
            Your bank declined the card. Try another card or ask your bank. You keep {currentName} until it is paid.
          </Notice>
        )}
        {change.data?.state === "unpaid" && change.data.paymentUrl && (
          <Button asChild variant="secondary">
            <a href={change.data.paymentUrl}>Pay with another card</a>
          </Button>
        )}
        {error && <Notice tone="danger">{paymentErrorText(error)}</Notice>}
        {preview.isError && (
          <Button variant="secondary" size="sm" loading={preview.isFetching} onClick={() => void preview.refetch()}>
            Try again
          </Button>
        )}
      </div>
    </Confirm>
  );
}

/** Say what happened. Returns false if the dialog is still needed. */
function showResult(result: ChangeResult, upgradedTo: string | null): boolean {
  if (result.state === "unpaid") return false;
  if (result.state === "requested") toast.success("Waiting for Stripe. This page will update.");
  else toast.success(upgradedTo ? `You're a ${upgradedTo} now.` : "Your plan is updated.");
  return true;
}
