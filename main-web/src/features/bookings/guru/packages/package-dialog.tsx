import { useState } from "react";
import { Link } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { FieldPair } from "@/components/ui/field-pair";
import { LoadNotice } from "@/components/ui/load-notice";
import { Notice } from "@/components/ui/notice";
import { Stack } from "@/components/ui/stack";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { FeeLine, missingForCards, useCardPayments } from "@/features/money/contract";
import { useServices } from "@/features/services/contract";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { errorMessage } from "@/lib/errors";
import { toast } from "@/lib/toast-store";
import { useSavePackage } from "./packages-api";
import type { Package } from "./types";
import { fieldErrors } from "@porchlight/shared/client";
import { moneyInputValue, parseMoney } from "@porchlight/shared/format/money";

const MIN_PRICE_CENTS = 500;
const MAX_PRICE_CENTS = 1_000_000;

type Problems = Record<string, string | undefined>;

/** A whole number within bounds, or null. */
function wholeNumber(text: string, min: number, max: number): number | null {
  const value = /^\d{1,4}$/.test(text.trim()) ? Number(text) : NaN;
  return value >= min && value <= max ? value : null;
}

/** A price in cents, 0 for none, or null for what is no price of a package. */
function priceOf(text: string): number | null {
  const cents = text.trim() === "" ? 0 : parseMoney(text);
  if (cents === null || cents === 0) return cents;
  return cents >= MIN_PRICE_CENTS && cents <= MAX_PRICE_CENTS ? cents : null;
}

/** Defines or changes a package. The input is kept until it is saved. */
export function PackageDialog({ item, onClose }: { item: Package | null; onClose: () => void }) {
  const services = useServices();
  const save = useSavePackage();
  const bookable = services.data?.services.filter(({ durationMinutes }) => durationMinutes !== null) ?? [];
  const [key] = useState(createIdempotencyKey);
  const [chosen, setChosen] = useState(item?.serviceId ?? "");
  const [name, setName] = useState(item?.name ?? "");
  const [sessions, setSessions] = useState(String(item?.sessions ?? 5));
  const [days, setDays] = useState(String(item?.days ?? 90));
  const [price, setPrice] = useState(item?.priceCents ? moneyInputValue(item.priceCents) : "");
  const [problems, setProblems] = useState<Problems>({});
  const [saved] = useState({ chosen, name, sessions, days, price });
  const isChanged =
    chosen !== saved.chosen ||
    name !== saved.name ||
    sessions !== saved.sessions ||
    days !== saved.days ||
    price !== saved.price;
  const serviceId = chosen || (bookable[0]?.id ?? "");

  async function submit() {
    const count = wholeNumber(sessions, 2, 52);
    const length = wholeNumber(days, 7, 1096);
    const priceCents = priceOf(price);
    if (name.trim() === "" || serviceId === "" || count === null || length === null || priceCents === null) {
      setProblems({
        ...(name.trim() === "" && { name: "Enter a name" }),
        ...(serviceId === "" && { serviceId: "Add a service that can be booked first" }),
        ...(count === null && { sessions: "Enter 2 to 52 sessions" }),
        ...(length === null && { days: "Enter 7 to 1,096 days" }),
        ...(priceCents === null && { priceCents: "Enter $5 to $10,000, or leave it empty" }),
      });
      return;
    }
    try {
      await save.mutateAsync({
        id: item?.id ?? null,
        serviceId,
        idempotencyKey: key,
        values: { name: name.trim(), sessions: count, days: length, priceCents },
      });
      toast.success(item ? "Saved. It applies to people who get or buy it from now on." : "Added.");
      onClose();
    } catch (reason) {
      setProblems(fieldErrors(reason));
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={item ? "Edit package" : "Add a package"}
      width={480}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="package-form" loading={save.isPending}>
            Save package
          </Button>
        </>
      }
    >
      <Stack
        as="form"
        id="package-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {item === null && (
          <Field label="Service" error={problems.serviceId}>
            <Select value={serviceId} onChange={(event) => setChosen(event.target.value)}>
              {bookable.map((service) => (
                <option key={service.id} value={service.id}>
                  {service.name}
                </option>
              ))}
            </Select>
          </Field>
        )}
        <Field label="Name" hint="Such as “Five lessons”." error={problems.name}>
          <Input maxLength={60} autoComplete="off" value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <FieldPair>
          <Field label="Sessions" error={problems.sessions}>
            <Input inputMode="numeric" value={sessions} onChange={(event) => setSessions(event.target.value)} />
          </Field>
          <Field label="Days to use it" error={problems.days}>
            <Input inputMode="numeric" value={days} onChange={(event) => setDays(event.target.value)} />
          </Field>
        </FieldPair>
        <Field
          label="Price ($)"
          optional
          hint="For the whole package, paid by card on your site. Without a price, only you give it."
          error={problems.priceCents}
        >
          <Input
            inputMode="decimal"
            autoComplete="off"
            value={price}
            onChange={(event) => setPrice(event.target.value)}
          />
        </Field>
        <PriceNote priceCents={parseMoney(price)} hasPrice={item !== null && item.priceCents > 0} />
        {save.isError && <Notice tone="danger">{errorMessage(save.error)}</Notice>}
      </Stack>
      <UnsavedGuard unsaved={isChanged} />
    </Dialog>
  );
}

type PriceNoteProps = {
  /** As typed; null for none. */
  priceCents: number | null;
  /** The package is for sale already. */
  hasPrice: boolean;
};

/** What the guru gets of the price, or why people can't pay it by card yet. */
function PriceNote({ priceCents, hasPrice }: PriceNoteProps) {
  const cards = useCardPayments();
  const missing = cards.data ? missingForCards(cards.data) : null;
  return (
    <>
      {/* The line of the fee says by itself that it couldn't be loaded. */}
      {priceCents ? (
        <FeeLine priceCents={priceCents} isPaidByCard={hasPrice} />
      ) : (
        <LoadNotice what="whether you can take cards" queries={[cards]} />
      )}
      {missing && (
        <Notice tone={hasPrice ? "warning" : "info"}>
          {hasPrice ? "People can't buy this package right now. " : "You can't sell packages yet. "}
          {missing.text} {missing.to && <Link to={missing.to}>{missing.link}</Link>}
        </Notice>
      )}
    </>
  );
}
