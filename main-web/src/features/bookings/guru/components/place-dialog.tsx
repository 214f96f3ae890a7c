import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { MAX_PLACE_LENGTH, placeOf, PLACES } from "@/lib/session-places";
import { toast } from "@/lib/toast-store";
import { Stack } from "@/components/ui/stack";
import { errorMessage } from "@/lib/errors";
import type { GuruBooking } from "../lib/types";
import { useChangePlace } from "../api/change-place";
import { ApiError, fieldErrors } from "@porchlight/shared/client";

type Problems = { place?: string | undefined; placeText?: string | undefined };

/** Correct where a booked session takes place. What was typed stays after an error. */
export function PlaceDialog({ booking, onClose }: { booking: GuruBooking; onClose: () => void }) {
  const change = useChangePlace(booking.appointmentId);
  const [place, setPlace] = useState(booking.place);
  const [text, setText] = useState(booking.placeText);
  const [problems, setProblems] = useState<Problems>({});
  const choices = PLACES.filter(({ value }) => value !== "person" || booking.place === "person");
  const failure = change.error instanceof ApiError && Object.keys(change.error.fields).length > 0 ? null : change.error;

  function submit() {
    if (place !== "person" && text.trim() === "") {
      setProblems({ placeText: "Enter the place or the link" });
      document.querySelector<HTMLElement>("textarea[name=placeText]")?.focus();
      return;
    }
    change.mutate(
      { place, placeText: text.trim() },
      {
        onSuccess: () => {
          toast.success("Changed. Everyone who booked gets an email.");
          onClose();
        },
        onError: (reason) => setProblems(fieldErrors(reason)),
      },
    );
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Change the place"
      description="Everyone who booked this session gets an email, which updates their calendar."
      width={520}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Keep this place
          </Button>
          <Button loading={change.isPending} onClick={submit}>
            Change place
          </Button>
        </>
      }
    >
      <Stack>
        {failure && <Notice tone="danger">{errorMessage(failure)}</Notice>}
        <Field label="Where you meet" error={problems.place}>
          <Select
            value={place}
            onChange={(event) => {
              setPlace(event.target.value as GuruBooking["place"]);
              setProblems({});
            }}
          >
            {choices.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field
          label={place === "agreed" ? "Where you meet this time" : placeOf(place).text}
          optional={place === "person"}
          error={problems.placeText}
        >
          <TextArea
            name="placeText"
            rows={2}
            maxLength={MAX_PLACE_LENGTH}
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setProblems({});
            }}
          />
        </Field>
      </Stack>
    </Dialog>
  );
}
