import { useRef, useState, type SubmitEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { MAX_PLACE_LENGTH } from "@/lib/session-places";
import { toast } from "@/lib/toast-store";
import { useChangeAddress } from "../api/change-address";
import type { Booking } from "../lib/own-booking";
import styles from "./sessions.module.css";
import { fieldErrors } from "@porchlight/shared/client";

const FORM = "address-form";
const MISSING = "Enter the address where you'd like to meet.";

/** Correct the address of a session at the user's place. What was typed stays after an error. */
export function AddressDialog({ booking, onClose }: { booking: Booking; onClose: () => void }) {
  const change = useChangeAddress(booking.id);
  const [address, setAddress] = useState(booking.address);
  const [problem, setProblem] = useState<string>();
  const field = useRef<HTMLTextAreaElement>(null);
  const isBooked = booking.status === "confirmed";
  const failure = fieldErrors(change.error).address === undefined ? change.error : null;

  function refuse(message: string) {
    setProblem(message);
    field.current?.focus();
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const typed = address.trim();
    if (typed === "") {
      refuse(MISSING);
      return;
    }
    if (typed === booking.address) {
      onClose();
      return;
    }
    change.mutate(
      { address: typed },
      {
        onSuccess: () => {
          toast.success(
            isBooked ? `Your address is changed. ${booking.guruName} gets an email.` : "Your address is changed.",
          );
          onClose();
        },
        onError: (reason) => {
          const { address: message } = fieldErrors(reason);
          if (message !== undefined) refuse(message);
        },
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Change your address"
      description={description(booking)}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep this address
          </Button>
          <Button type="submit" form={FORM} loading={change.isPending}>
            Change address
          </Button>
        </>
      }
    >
      <form id={FORM} className={styles.form} onSubmit={submit} noValidate>
        {failure && <Notice tone="danger">{failure.message}</Notice>}
        <Field label="Your address" hint={`Only ${booking.guruName} sees it, to find you.`} error={problem}>
          <TextArea
            ref={field}
            name="address"
            rows={2}
            autoComplete="street-address"
            maxLength={MAX_PLACE_LENGTH}
            value={address}
            onChange={(event) => {
              setAddress(event.target.value);
              setProblem(undefined);
            }}
          />
        </Field>
      </form>
    </Dialog>
  );
}

function description({ status, seriesId, guruName }: Booking): string {
  const others = seriesId === null ? "" : " The other sessions of your series keep theirs.";
  if (status !== "confirmed") return `${guruName} sees the new address with your request.${others}`;
  return `You and ${guruName} get an email, which updates your calendars.${others}`;
}
