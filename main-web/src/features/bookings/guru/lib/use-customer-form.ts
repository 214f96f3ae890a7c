import { useState } from "react";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { answersOf, type Question, type TypedAnswers } from "@/lib/questions";
import { toast } from "@/lib/toast-store";
import { instantOf, wallTimeOf } from "@/lib/wall-time";
import { useBookCustomer, type CustomerBooking } from "../api/book-customer";
import type { Grant } from "../packages/types";
import { ApiError } from "@porchlight/shared/client";

const EMPTY_VALUES = {
  serviceId: "",
  party: "1",
  name: "",
  participants: "",
  email: "",
  note: "",
  address: "",
  packageId: "",
  clientId: "",
};
const WARNINGS = ["outside_hours", "busy_elsewhere", "day_full", "over_capacity"] as const;

type Typed = typeof EMPTY_VALUES & { day?: string; time?: string };
type Values = Required<Typed>;

export type CustomerField = keyof Values;
type Messages = Record<string, string | undefined>;

/** A customer for whom the guru booked before. */
export type KnownClient = { id: string; name: string; email: string };

type CustomerFormOptions = {
  /** The guru's time zone, "" before it is known. */
  zone: string;
  /** The service that is chosen before the guru chooses one, "" without services. */
  defaultServiceId: string;
  /** The customer's package to book with, if the guru chose it before. */
  grant: Grant | undefined;
  /** The customer who comes again, if the guru chose them before. */
  client: KnownClient | undefined;
  /** The time to begin with, in ISO 8601; "" for none. */
  startsAt: string;
  onBooked: () => void;
};

export type CustomerFormState = ReturnType<typeof useCustomerForm>;

/** The state of the form that books for a customer. What was typed stays after an error. */
export function useCustomerForm({
  zone,
  defaultServiceId,
  grant,
  client,
  startsAt: chosenStart,
  onBooked,
}: CustomerFormOptions) {
  const book = useBookCustomer();
  const [typed, setTyped] = useState<Typed>({
    ...EMPTY_VALUES,
    ...(grant && { serviceId: grant.serviceId, packageId: grant.id, name: grant.personName }),
    ...(client && { clientId: client.id, name: client.name, email: client.email }),
  });
  const [answers, setAnswers] = useState<TypedAnswers>({});
  const [errors, setErrors] = useState<Messages>({});
  const [warnings, setWarnings] = useState<Messages>({});
  const [refusals, setRefusals] = useState(0);
  const [sent, setSent] = useState({ key: createIdempotencyKey(), body: "" });
  // The zone is known after the first render.
  const chosen = chosenStart && zone ? wallTimeOf(chosenStart, zone) : { day: "", time: "10:00" };
  const values = {
    ...typed,
    serviceId: typed.serviceId || defaultServiceId,
    day: typed.day ?? chosen.day,
    time: typed.time ?? chosen.time,
  };
  const confirmed = WARNINGS.filter((one) => warnings[one] !== undefined);

  function change(part: Partial<Typed>) {
    setTyped({ ...typed, ...part });
    setErrors({});
    setWarnings({});
  }

  // A package is of one service.
  const set = (name: CustomerField, value: string) =>
    change({ ...typed, [name]: value, ...(name === "serviceId" && { packageId: "" }) });

  const changeAnswers = (changed: TypedAnswers) => {
    setAnswers(changed);
    setErrors({});
  };

  /** Choose the package of a customer, whose name is then known. */
  const choosePackage = (grant: { id: string; personName: string } | null) =>
    change(grant ? { packageId: grant.id, name: grant.personName } : { packageId: "" });

  /** @param questions those of the chosen service */
  async function submit(questions: readonly Question[]) {
    const startsAt = instantOf(values.day, values.time, zone);
    const missing: Messages = {
      ...(startsAt === null && { startsAt: "Enter a date and a time" }),
      ...(values.name.trim() === "" && { name: "Enter a name" }),
    };
    if (startsAt === null || Object.keys(missing).length > 0) {
      setErrors(missing);
      setRefusals((count) => count + 1);
      return;
    }
    const booking = { ...bookingPayload(values, startsAt, confirmed), answers: answersOf(questions, answers) };
    // The same details again are the same request; changed ones are another.
    const body = JSON.stringify(booking);
    const key = body === sent.body ? sent.key : createIdempotencyKey();
    setSent({ key, body });
    try {
      await book.mutateAsync({ idempotencyKey: key, booking });
    } catch (reason) {
      setRefusals((count) => count + 1);
      if (!(reason instanceof ApiError)) return;
      if (reason.code === "needs_confirmation") setWarnings(reason.fields);
      else setErrors(reason.fields);
      return;
    }
    toast.success(`Booked for ${booking.name}.`);
    onBooked();
  }

  return {
    values,
    set,
    choosePackage,
    /** The answers to the questions of services, as far as the guru knows them. */
    answers,
    changeAnswers,
    errors,
    /** How often the booking was refused; the form says why. */
    refusals,
    /** What the guru confirms by booking anyway, in sentences. */
    warnings: confirmed.map((one) => warnings[one]),
    /** The error of the request, if no field has it. */
    failure: book.error instanceof ApiError && Object.keys(book.error.fields).length > 0 ? null : book.error,
    isPending: book.isPending,
    submit,
  };
}

function bookingPayload(
  values: Values,
  startsAt: string,
  confirmed: NonNullable<CustomerBooking["confirmed"]>,
): CustomerBooking {
  return {
    serviceId: values.serviceId,
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
    packageId: values.packageId,
    clientId: values.clientId,
  };
}
