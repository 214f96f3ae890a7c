import { useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { toast } from "@/lib/toast-store";
import { Stack } from "@/components/ui/stack";
import { useCalendar } from "@/features/hours/contract";
import { errorMessage } from "@/lib/errors";
import { instantOf, today } from "@/lib/wall-time";
import { useServices } from "@/features/services/contract";
import { useBookCustomer } from "../api/book-customer";
import styles from "./calendar.module.css";
import { ApiError } from "@porchlight/shared/client";

const MAX_NAME = 80;
const MAX_NOTE = 1000;
const WARNINGS = ["outside_hours", "day_full", "over_capacity"] as const;

type Problems = Record<string, string | undefined>;

/** Book a session for someone who called or came by. What was typed stays after an error. */
export function CustomerDialog({ onClose }: { onClose: () => void }) {
  const calendar = useCalendar();
  const services = useServices();
  const book = useBookCustomer();
  const zone = calendar.data?.zone ?? "";
  const offered = services.data?.services.filter(({ durationMinutes }) => durationMinutes !== null) ?? [];
  const [values, setValues] = useState({
    serviceId: "",
    day: "",
    time: "10:00",
    party: "1",
    name: "",
    participants: "",
    email: "",
    note: "",
    address: "",
  });
  const [problems, setProblems] = useState<Problems>({});
  const [warnings, setWarnings] = useState<Problems>({});
  const [sent, setSent] = useState({ key: createIdempotencyKey(), body: "" });
  const serviceId = values.serviceId || (offered[0]?.id ?? "");
  const confirmed = WARNINGS.filter((one) => warnings[one] !== undefined);
  const form = useRef<HTMLDivElement>(null);
  const failure = book.error instanceof ApiError && Object.keys(book.error.fields).length > 0 ? null : book.error;

  /** Bring what the answer says into view: on a phone it may be far from the button. */
  function reveal() {
    requestAnimationFrame(() => {
      const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
      if (wrong) wrong.focus();
      else form.current?.querySelector("[data-answer]")?.scrollIntoView({ block: "nearest" });
    });
  }

  function set(name: keyof typeof values, value: string) {
    setValues({ ...values, [name]: value });
    setProblems({});
    setWarnings({});
  }

  async function submit() {
    const startsAt = instantOf(values.day, values.time, zone);
    const missing: Problems = {
      ...(startsAt === null && { startsAt: "Enter a date and a time" }),
      ...(values.name.trim() === "" && { name: "Enter a name" }),
    };
    if (startsAt === null || Object.keys(missing).length > 0) {
      setProblems(missing);
      reveal();
      return;
    }
    const booking = {
      serviceId,
      startsAt,
      party: Number(values.party),
      name: values.name.trim(),
      participants: values.participants
        .split("\n")
        .map((name) => name.trim())
        .filter((name) => name !== ""),
      email: values.email.trim(),
      note: values.note.trim(),
      address: values.address.trim(),
      confirmed,
    };
    // The same details again are the same request; changed ones are another.
    const body = JSON.stringify(booking);
    const key = body === sent.body ? sent.key : createIdempotencyKey();
    setSent({ key, body });
    try {
      await book.mutateAsync({ idempotencyKey: key, booking });
    } catch (reason) {
      reveal();
      if (!(reason instanceof ApiError)) return;
      if (reason.code === "needs_confirmation") setWarnings(reason.fields);
      else setProblems(reason.fields);
      return;
    }
    toast.success(`Booked for ${booking.name}.`);
    onClose();
  }

  const text = (name: keyof typeof values, label: string, more: { hint?: string; optional?: boolean } = {}) => (
    <Field label={label} error={problems[name]} {...more}>
      <TextArea
        rows={2}
        maxLength={MAX_NOTE}
        value={values[name]}
        onChange={(event) => set(name, event.target.value)}
      />
    </Field>
  );

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Book for a customer"
      description="For someone who called or came by. Your notice and hours don't limit you."
      width={520}
      fullScreenOnPhones
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Close
          </Button>
          <Button disabled={serviceId === "" || zone === ""} loading={book.isPending} onClick={() => void submit()}>
            {confirmed.length > 0 ? "Book anyway" : "Book"}
          </Button>
        </>
      }
    >
      <Stack ref={form}>
        <LoadNotice what="your services" queries={[services]} />
        <LoadNotice what="your calendar" queries={[calendar]} />
        {services.data && offered.length === 0 && (
          <Notice>Add a service with a duration first, then you can book it for customers.</Notice>
        )}
        {failure && (
          <div data-answer>
            <Notice tone="danger">{errorMessage(failure)}</Notice>
          </div>
        )}
        <Field label="Service" error={problems.serviceId}>
          <Select value={serviceId} onChange={(event) => set("serviceId", event.target.value)}>
            {offered.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <div className={styles.pair}>
          <Field label="Date" error={problems.startsAt}>
            <Input
              type="date"
              min={zone ? today(zone) : undefined}
              value={values.day}
              onChange={(event) => set("day", event.target.value)}
            />
          </Field>
          <Field label="Time">
            <Input type="time" value={values.time} onChange={(event) => set("time", event.target.value)} />
          </Field>
        </div>
        <Field label="Customer's name" error={problems.name}>
          <Input maxLength={MAX_NAME} value={values.name} onChange={(event) => set("name", event.target.value)} />
        </Field>
        <Field
          label="Email"
          optional
          hint="They get a confirmation and a link to move or cancel. Without it, tell them yourself."
          error={problems.email}
        >
          <Input type="email" value={values.email} onChange={(event) => set("email", event.target.value)} />
        </Field>
        <Field label="Spots" error={problems.party}>
          <Select value={values.party} onChange={(event) => set("party", event.target.value)}>
            {Array.from({ length: 10 }, (_, index) => (
              <option key={index} value={index + 1}>
                {index + 1}
              </option>
            ))}
          </Select>
        </Field>
        {(Number(values.party) > 1 || problems.participants !== undefined) &&
          text("participants", "Who comes", {
            hint: "One name per line. Needed for a session with waivers.",
            optional: true,
          })}
        {(problems.address !== undefined || values.address !== "") && text("address", "Where you meet")}
        {text("note", "Note", { optional: true })}
        <div aria-live="polite" data-answer={confirmed.length > 0 || undefined}>
          {confirmed.length > 0 && (
            <Notice tone="warning">
              <ul>
                {confirmed.map((one) => (
                  <li key={one}>{warnings[one]}</li>
                ))}
              </ul>
            </Notice>
          )}
        </div>
      </Stack>
    </Dialog>
  );
}
