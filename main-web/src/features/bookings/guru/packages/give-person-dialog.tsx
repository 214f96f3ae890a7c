import { useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { CheckField } from "@/components/ui/check-field";
import { Dialog } from "@/components/ui/dialog";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { RadioGroup } from "@/components/ui/radio-group";
import { Skeleton } from "@/components/ui/skeleton";
import { Stack } from "@/components/ui/stack";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { errorMessage } from "@/lib/errors";
import { personName } from "@/lib/person-name";
import { toast } from "@/lib/toast-store";
import type { GuruBookingDetails } from "../lib/types";
import { useGrantPackage, usePackages } from "./packages-api";
import type { Package } from "./types";
import { pluralize } from "@porchlight/shared/format/numbers";
import { formatSessionStart } from "@porchlight/shared/format/session-times";

type GivePersonDialogProps = { booking: GuruBookingDetails; onClose: () => void };

/** Chooses a package for the person of a booking, which can be the first session of it. */
export function GivePersonDialog({ booking, onClose }: GivePersonDialogProps) {
  const packages = usePackages();
  const give = useGrantPackage();
  const [chosenId, setChosenId] = useState("");
  const [uses, setUses] = useState(true);
  const [problem, setProblem] = useState("");
  const [key] = useState(createIdempotencyKey);
  const list = packages.data?.packages ?? [];
  const chosen = list.find(({ id }) => id === chosenId);
  const canUse = chosen !== undefined && canCover(chosen, booking);
  const person = personName(booking);

  async function submit() {
    if (!chosen) {
      setProblem("Choose a package");
      return;
    }
    const coversBooking = canUse && uses;
    const idempotencyKey = `${key}-${chosen.id}-${coversBooking}`;
    try {
      await give.mutateAsync({ packageId: chosen.id, bookingId: booking.id, coversBooking, idempotencyKey });
      toast.success(booking.isCustomer ? `Given. Tell ${person} about it.` : `Given. We've told ${person}.`);
      onClose();
    } catch {
      return; // the notice shows it
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Give ${person} a package`}
      width={480}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          {list.length > 0 && (
            <Button loading={give.isPending} onClick={() => void submit()}>
              Give package
            </Button>
          )}
        </>
      }
    >
      <Stack>
        {packages.isPending && (
          <div aria-busy="true">
            <Skeleton height="8rem" radius="md" />
          </div>
        )}
        <LoadNotice what="your packages" queries={[packages]} />
        {packages.data && list.length === 0 && (
          <p>
            You have no packages yet. <Link to={paths.guruPackages}>Add one</Link>, then you can give it.
          </p>
        )}
        {list.length > 0 && (
          <RadioGroup
            label="Package"
            value={chosenId}
            onChange={(value) => {
              setChosenId(value);
              setProblem("");
            }}
            choices={list.map((one) => ({
              value: one.id,
              label: one.name,
              hint: `${pluralize(one.sessions, "session", "sessions")} of ${one.serviceName}, for ${pluralize(one.days, "day", "days")} from today`,
            }))}
          />
        )}
        {canUse && (
          <CheckField
            id="uses-package"
            label={`The session on ${formatSessionStart(booking.startsAt, booking.zone)} uses it`}
            checked={uses}
            onChange={(event) => setUses(event.target.checked)}
          />
        )}
        {problem && <Notice tone="danger">{problem}</Notice>}
        {give.isError && <Notice tone="danger">{errorMessage(give.error)}</Notice>}
      </Stack>
    </Dialog>
  );
}

/** Whether a new package can cover a booking. The server decides; this only spares a question. */
function canCover(item: Package, booking: GuruBookingDetails): boolean {
  const isAhead = booking.status === "confirmed" && Date.parse(booking.startsAt) > Date.now();
  return isAhead && booking.package === null && item.serviceId === booking.serviceId && item.sessions >= booking.party;
}
