import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch, type FieldPath } from "react-hook-form";
import { Link } from "react-router-dom";
import {
  boolean,
  config,
  enum as oneOf,
  maxLength,
  minLength,
  object,
  refine,
  string,
  trim,
  type infer as Infer,
} from "zod/mini";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { AffectedBookings } from "@/features/bookings/contract";
import { Stack } from "@/components/ui/stack";
import { CheckField } from "@/components/ui/check-field";
import { FieldPair } from "@/components/ui/field-pair";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { FeeLine, useCardPayments } from "@/features/money/contract";
import { errorMessage } from "@/lib/errors";
import { useIsPaidByCard } from "../api/get-service-booking";
import { useSaveService } from "../api/save-service";
import type { Service, ServicePayload } from "../lib/types";
import { ApiError } from "@porchlight/shared/client";
import { moneyInputValue, parseMoney } from "@porchlight/shared/format/money";

config({ jitless: true });

const MAX_PRICE_CENTS = 1_000_000;
const DEFAULT_DURATION_LABEL = "Monthly";

const schema = object({
  name: string().check(trim(), minLength(1, "Please enter a name"), maxLength(80, "80 characters max")),
  description: string().check(trim(), maxLength(500, "500 characters max")),
  price: string().check(
    trim(),
    refine((text) => parsePrice(text) !== null, "Enter a price from $0 to $10,000, such as 75 or 19.50"),
  ),
  length: oneOf(["minutes", "label"]),
  minutes: string(),
  popular: boolean(),
  features: string().check(
    refine((text) => linesOf(text).length <= 12, "12 lines max"),
    refine((text) => linesOf(text).every((line) => line.length <= 120), "One of the lines is too long"),
  ),
}).check(
  refine(({ length, minutes }) => length === "label" || minutesOf(minutes) !== null, {
    path: ["minutes"],
    error: "Enter 5 to 1,440 minutes",
  }),
);

type Values = Infer<typeof schema>;

/** Parse dollars into cents; null when it is not a valid price. */
export function parsePrice(text: string): number | null {
  const cents = parseMoney(text);
  return cents !== null && cents <= MAX_PRICE_CENTS ? cents : null;
}

function minutesOf(text: string): number | null {
  const minutes = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return minutes >= 5 && minutes <= 1440 ? minutes : null;
}

const linesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

function valuesOf(service: Service | null): Values {
  return {
    name: service?.name ?? "",
    description: service?.description ?? "",
    price: service ? moneyInputValue(service.priceCents) : "",
    length: service?.durationMinutes === null ? "label" : "minutes",
    minutes: String(service?.durationMinutes ?? 60),
    popular: service?.popular ?? false,
    features: service?.features.join("\n") ?? "",
  };
}

/** Creates or edits a service. The input is kept until it is saved. */
export function ServiceDialog({ service, onClose }: { service: Service | null; onClose: () => void }) {
  const save = useSaveService();
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: valuesOf(service) });
  const { errors } = form.formState;
  const length = useWatch({ control: form.control, name: "length" });
  const minutes = useWatch({ control: form.control, name: "minutes" });
  const price = useWatch({ control: form.control, name: "price" });
  const label = service?.durationLabel || DEFAULT_DURATION_LABEL;
  const cards = useCardPayments();
  // Who can take cards sees the fee of every price.
  const asks = service !== null && cards.data !== undefined && cards.data.state !== "ready";
  const isPaidByCard = useIsPaidByCard(asks ? service.id : null);

  async function submit(values: Values) {
    const payload: ServicePayload = {
      name: values.name,
      description: values.description,
      priceCents: parsePrice(values.price) ?? 0,
      durationMinutes: values.length === "minutes" ? minutesOf(values.minutes) : null,
      durationLabel: values.length === "minutes" ? "" : label,
      popular: values.popular,
      features: linesOf(values.features),
    };
    try {
      await save.mutateAsync({ id: service?.id ?? null, service: payload });
      toast.success(service ? "Saved. Your changes are live." : "Added. It's live on your site.");
      onClose();
    } catch (reason) {
      if (!(reason instanceof ApiError)) return;
      for (const [name, message] of Object.entries(reason.fields)) {
        const field =
          ({ priceCents: "price", durationMinutes: "minutes" } as Record<string, string>)[name] ?? name.split(".")[0];
        form.setError(field as FieldPath<Values>, { message }, { shouldFocus: true });
      }
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={service ? "Edit service" : "Add a service"}
      width={560}
      footer={
        <>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="service-form" loading={save.isPending}>
            Save service
          </Button>
        </>
      }
    >
      <Stack as="form" id="service-form" noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
        <Field label="Name" error={errors.name?.message}>
          <Input autoComplete="off" {...form.register("name")} />
        </Field>
        <Field label="Description" optional error={errors.description?.message}>
          <TextArea rows={3} {...form.register("description")} />
        </Field>
        <FieldPair>
          <Field label="Price ($)" error={errors.price?.message}>
            <Input inputMode="decimal" autoComplete="off" {...form.register("price")} />
          </Field>
          <Field label="Length" error={errors.length?.message}>
            <Select {...form.register("length")}>
              <option value="minutes">Number of minutes</option>
              <option value="label">{label}</option>
            </Select>
          </Field>
          {length === "minutes" && (
            <Field label="Minutes" error={errors.minutes?.message}>
              <Input inputMode="numeric" autoComplete="off" {...form.register("minutes")} />
            </Field>
          )}
        </FieldPair>
        {service && length === "minutes" && minutesOf(minutes) !== null && (
          <AffectedBookings
            rules={{
              serviceId: service.id,
              ...(minutesOf(minutes) !== service.durationMinutes && { minutes: minutesOf(minutes) ?? 0 }),
            }}
            text="These sessions stay as long as they were booked:"
          />
        )}
        <FeeLine priceCents={parsePrice(price)} isPaidByCard={isPaidByCard} />
        <Field label="What it includes" optional hint="One per line." error={errors.features?.message}>
          <TextArea rows={4} {...form.register("features")} />
        </Field>
        <CheckField id="service-popular" {...form.register("popular")} label="Mark as popular" />
        {service && (
          <p>
            <Link to={`${paths.guruGallery}#service-${service.id}`}>Pictures of this service</Link>
          </p>
        )}
        {save.isError && <Notice tone="danger">{errorMessage(save.error)}</Notice>}
      </Stack>
      <UnsavedGuard unsaved={form.formState.isDirty} />
    </Dialog>
  );
}
