import { Confirm } from "@/components/ui/confirm";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import type { Waiver } from "../api/get-waivers";
import { useWithdrawWaiver } from "../api/withdraw-waiver";
import { withdrawalText } from "../lib/waiver-texts";

type WithdrawDialogProps = { waiver: Waiver; onClose: () => void };

/** Ask before a waiver is withdrawn, and say what that does to open sessions. */
export function WithdrawDialog({ waiver, onClose }: WithdrawDialogProps) {
  const withdraw = useWithdrawWaiver(waiver.waiverId);

  async function confirm() {
    try {
      await withdraw.mutateAsync();
    } catch {
      return; // the notice shows it
    }
    // Said also if the waiver is gone from the page by now, unlike the callbacks of `mutate`.
    toast.success("Your waiver is withdrawn.");
    onClose();
  }

  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Withdraw your waiver for ${waiver.exchangeTitle}?`}
      description={withdrawalText(waiver)}
      action="Withdraw waiver"
      cancel="Keep waiver"
      busy={withdraw.isPending}
      onConfirm={() => void confirm()}
    >
      {withdraw.isError && <Notice tone="danger">{withdraw.error.message}</Notice>}
    </Confirm>
  );
}
