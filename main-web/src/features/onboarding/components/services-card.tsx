import { useRef, useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { MAX_PLACE_LENGTH, placeOf, PLACES } from "@/lib/session-places";
import { toast } from "@/lib/toast-store";
import { useStableWhileFocused } from "@/lib/use-stable-while-focused";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useConfirmServices } from "../api/confirm-services";
import { formatProposedHours } from "../lib/proposed-hours";
import { saveErrorText, type WizardServices } from "../lib/types";
import styles from "./wizard.module.css";
import { moneyInputValue, parseMoney } from "@porchlight/shared/format/money";

const MAX_PRICE_CENTS = 1_000_000;

type Typed = { name: string; price: string; minutes: string; label: string };
type Where = Pick<WizardServices, "place" | "placeText">;

const typedServices = ({ services }: WizardServices): Typed[] =>
  services.map(({ name, priceCents, durationMinutes, durationLabel }) => ({
    name,
    price: moneyInputValue(priceCents),
    minutes: durationMinutes === null ? "" : String(durationMinutes),
    label: durationLabel,
  }));

function priceOf(text: string): number | null {
  const cents = parseMoney(text);
  return cents !== null && cents <= MAX_PRICE_CENTS ? cents : null;
}

function minutesOf(text: string): number | null {
  const minutes = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return minutes >= 5 && minutes <= 1440 ? minutes : null;
}

const MIN_BOOKABLE_MINUTES = 15;
const MAX_BOOKABLE_MINUTES = 480;

/** Return what to know about a length at which neighbors can't ask for a time. */
function minutesHint(text: string): string {
  const minutes = minutesOf(text);
  if (minutes === null || (minutes >= MIN_BOOKABLE_MINUTES && minutes <= MAX_BOOKABLE_MINUTES)) return "";
  return "Neighbors can ask for times of 15 to 480 minutes. They'll message you about this one.";
}

type Errors = { name?: string | undefined; price?: string | undefined; minutes?: string | undefined };

function errorsOf({ name, price, minutes, label }: Typed): Errors {
  return {
    name: name.trim() === "" ? "Enter a name" : name.length > 80 ? "80 characters max" : undefined,
    price: priceOf(price) === null ? "Enter a price from $0 to $10,000, such as 75 or 19.50" : undefined,
    minutes: label === "" && minutesOf(minutes) === null ? "Enter 5 to 1,440 minutes" : undefined,
  };
}

function placeError({ place, placeText }: Where): string | undefined {
  return place === "" || placeText.trim() !== "" ? undefined : placeOf(place).missing;
}

type ServicesCardProps = {
  services: WizardServices;
  /** Whether one of the categories is approved, so that visitors see the services. */
  listed: boolean;
};

/** The services that a new site starts with. They go live only after the guru has confirmed them. */
export function ServicesCard({ services, listed }: ServicesCardProps) {
  const [typed, setTyped] = useState<Typed[] | null>(null);
  const [typedWhere, setTypedWhere] = useState<Where | null>(null);
  const [checked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const confirm = useConfirmServices();
  const { shown, handlers, release } = useStableWhileFocused(typedServices(services));
  const list = typed ?? shown;
  const where = typedWhere ?? { place: services.place, placeText: services.placeText };
  const place = where.place === "" ? undefined : placeOf(where.place);
  const isTyped = typed !== null || typedWhere !== null;
  const isConfirmed = services.confirmed && !isTyped;

  function change(at: number, part: Partial<Typed>) {
    setTyped(list.map((service, index) => (index === at ? { ...service, ...part } : service)));
    confirm.reset();
  }

  function changeWhere(part: Partial<Where>) {
    setTypedWhere({ ...where, ...part });
    confirm.reset();
  }

  async function submit() {
    setChecked(true);
    const errors = list.map(errorsOf).flatMap(({ name, price, minutes }) => [name, price, minutes]);
    const first = errors.findIndex(Boolean);
    if (first >= 0) {
      // On a phone, the first service is far above the button.
      form.current?.querySelectorAll("input")[first]?.focus();
      return;
    }
    if (where.place === "" || placeError(where)) {
      form.current?.querySelector<HTMLElement>(where.place === "" ? "select" : "textarea")?.focus();
      return;
    }
    try {
      await confirm.mutateAsync({
        services: list.map(({ name, price, minutes, label }) => ({
          name: name.trim(),
          priceCents: priceOf(price) ?? 0,
          durationMinutes: label === "" ? minutesOf(minutes) : null,
        })),
        place: where.place,
        placeText: where.placeText.trim(),
      });
      setTyped(null);
      setTypedWhere(null);
      release();
      toast.success("Your services are confirmed.");
    } catch {
      // The error is shown below.
    }
  }

  return (
    <Card as="section" aria-labelledby="review-services" className={styles.stack}>
      <div className={styles.head}>
        <h2 id="review-services" className={styles.heading}>
          Services
        </h2>
        {isConfirmed && <Badge tone="green">Confirmed</Badge>}
      </div>
      <p className={styles.soft}>
        Your site starts with these services. Check each name, price and length, say where you meet, then confirm them.
        You can add and change services later.
      </p>
      <p className={styles.soft}>
        {listed
          ? "Neighbors can ask for times "
          : "Once one of your categories is approved, neighbors can ask for times "}
        {formatProposedHours(services.hours)}. You answer each request, and change your hours anytime.
      </p>
      <form
        ref={form}
        {...handlers}
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {list.map((service, at) => {
          const errors: Errors = checked ? errorsOf(service) : {};
          return (
            <fieldset key={at} className={styles.service}>
              <legend className="visually-hidden">Service {at + 1}</legend>
              <Field label="Name" error={errors.name}>
                <Input value={service.name} onChange={(event) => change(at, { name: event.target.value })} />
              </Field>
              <Field label="Price ($)" error={errors.price}>
                <Input
                  inputMode="decimal"
                  value={service.price}
                  onChange={(event) => change(at, { price: event.target.value })}
                />
              </Field>
              {service.label === "" ? (
                <Field label="Minutes" hint={minutesHint(service.minutes)} error={errors.minutes}>
                  <Input
                    inputMode="numeric"
                    value={service.minutes}
                    onChange={(event) => change(at, { minutes: event.target.value })}
                  />
                </Field>
              ) : (
                <Field label="Length" hint="Neighbors message you to book it.">
                  <Input value={service.label} readOnly />
                </Field>
              )}
            </fieldset>
          );
        })}
        <Field
          label="Where you meet"
          hint="For all services. You can change it for each one later."
          error={checked && where.place === "" ? "Choose where you meet" : undefined}
        >
          <Select
            value={where.place}
            onChange={(event) => changeWhere({ place: event.target.value as Where["place"] })}
          >
            {where.place === "" && <option value="">Choose</option>}
            {PLACES.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {place && (
          <Field
            label={place.text}
            optional={place.missing === undefined}
            hint="Only neighbors who booked see this."
            error={checked ? placeError(where) : undefined}
          >
            <TextArea
              rows={2}
              maxLength={MAX_PLACE_LENGTH}
              value={where.placeText}
              onChange={(event) => changeWhere({ placeText: event.target.value })}
            />
          </Field>
        )}
        {confirm.isError && <Notice tone="danger">{saveErrorText(confirm.error)}</Notice>}
        <div className={styles.foot}>
          <Button type="submit" variant={isConfirmed ? "secondary" : "primary"} loading={confirm.isPending}>
            Confirm services
          </Button>
        </div>
      </form>
      <UnsavedGuard unsaved={isTyped} />
    </Card>
  );
}
