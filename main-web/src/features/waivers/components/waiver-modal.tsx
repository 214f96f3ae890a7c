import { useForm } from "react-hook-form";
import { Dialog } from "@/components/ui/dialog";
import { useAcceptWaiver, type AcceptedWaiver } from "../api/accept-waiver";
import type { WaiverLevel } from "../lib/levels";
import type { WaiverRole } from "../lib/waiver-role";
import { WaiverForm } from "./waiver-form";
import type { WaiverExchange, WaiverValues } from "../lib/waiver-values";

type WaiverModalProps = {
  exchange: WaiverExchange;
  /** The lowest level that is enough; the activity may need a higher one. */
  minimumLevel?: WaiverLevel;
  /** Whether the guru requires a signature. */
  mustSign?: boolean;
  role?: WaiverRole;
  initial: WaiverValues;
  /** Called instead of sending for a signed-out visitor. */
  onSignIn: ((values: WaiverValues) => void) | null;
  onAccepted: (accepted: AcceptedWaiver) => void;
  /** Called with what was entered. */
  onClose: (values: WaiverValues) => void;
};

/** The waiver of an exchange in a dialog. */
export function WaiverModal({ exchange, initial, onClose, ...rest }: WaiverModalProps) {
  const form = useForm<WaiverValues>({ defaultValues: initial });
  const close = () => onClose(form.getValues());
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title="Liability waiver"
      description={`${exchange.skill}: ${exchange.activity}`}
      width={640}
      fullScreenOnPhones
      startsAt="top"
    >
      <WaiverForm {...rest} exchange={exchange} form={form} send={useAcceptWaiver()} onCancel={close} />
    </Dialog>
  );
}
