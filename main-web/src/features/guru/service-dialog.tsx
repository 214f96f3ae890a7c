import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch, type FieldPath } from "react-hook-form";
import { boolean, config, enum as oneOf, maxLength, minLength, object, refine, string, trim, type infer as Infer } from "zod/mini";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Field, Input, Select, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import styles from "./console.module.css";
import { useSaveService } from "./service-calls";
import type { Offer, OfferPayload } from "./types";
import { why } from "./words";
import { ApiError } from "@porchlight/shared/client";

config({ jitless: true });

const LABELLED = "Monthly";

const schema = object({
  name: string().check(trim(), minLength(1, "Please give it a name"), maxLength(80, "Please keep it under 81 characters")),
  description: string().check(trim(), maxLength(500, "Please keep it under 501 characters")),
  price: string().check(trim(), refine((text) => centsOf(text) !== null, "Please enter dollars between 0 and 10,000, such as 75 or 19.50")),
  length: oneOf(["minutes", "label"]),
  minutes: string(),
  popular: boolean(),
  features: string().check(
    refine((text) => linesOf(text).length <= 12, "At most 12 lines, please"),
    refine((text) => linesOf(text).every((line) => line.length <= 120), "One of these lines is too long"),
  ),
}).check(
  refine(({ length, minutes }) => length === "label" || minutesOf(minutes) !== null, {
    path: ["minutes"],
    error: "Please enter between 5 and 1,440 minutes",
  }),
);

type Values = Infer<typeof schema>;

/** Dollars as typed, in cents; null for what is no price of ours. */
export function centsOf(text: string): number | null {
  if (!/^\$?\s?\d{1,5}(\.\d{1,2})?$/.test(text.trim())) return null;
  const cents = Math.round(Number(text.replace(/[$\s]/g, "")) * 100);
  return cents <= 1_000_000 ? cents : null;
}

function minutesOf(text: string): number | null {
  const minutes = /^\d{1,4}$/.test(text.trim()) ? Number(text) : 0;
  return minutes >= 5 && minutes <= 1440 ? minutes : null;
}

const linesOf = (text: string) => text.split("\n").map((line) => line.trim()).filter(Boolean);

function valuesOf(offer: Offer | null): Values {
  return {
    name: offer?.name ?? "",
    description: offer?.description ?? "",
    price: offer ? (offer.priceCents / 100).toFixed(offer.priceCents % 100 ? 2 : 0) : "",
    length: offer?.durationMinutes === null ? "label" : "minutes",
    minutes: String(offer?.durationMinutes ?? 60),
    popular: offer?.popular ?? false,
    features: offer?.features.join("\n") ?? "",
  };
}

/** A service, new or known. What was typed stays until the server has it. */
export function ServiceDialog({ offer, onClose }: { offer: Offer | null; onClose: () => void }) {
  const save = useSaveService();
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: valuesOf(offer) });
  const { errors } = form.formState;
  const length = useWatch({ control: form.control, name: "length" });
  const label = offer?.durationLabel || LABELLED;

  async function submit(values: Values) {
    const sent: OfferPayload = {
      name: values.name,
      description: values.description,
      priceCents: centsOf(values.price) ?? 0,
      durationMinutes: values.length === "minutes" ? minutesOf(values.minutes) : null,
      durationLabel: values.length === "minutes" ? "" : label,
      popular: values.popular,
      features: linesOf(values.features),
    };
    try {
      await save.mutateAsync({ id: offer?.id ?? null, offer: sent });
      toast.success(offer ? "Saved. Your site shows it now." : "Added. Your site shows it now.");
      onClose();
    } catch (reason) {
      if (!(reason instanceof ApiError)) return;
      for (const [name, message] of Object.entries(reason.fields)) {
        const field = ({ priceCents: "price", durationMinutes: "minutes" } as Record<string, string>)[name] ?? name.split(".")[0];
        form.setError(field as FieldPath<Values>, { message }, { shouldFocus: true });
      }
    }
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={offer ? "Edit service" : "Add a service"}
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
      <form id="service-form" className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
        <Field label="Name" error={errors.name?.message}>
          <Input autoComplete="off" {...form.register("name")} />
        </Field>
        <Field label="Description" optional error={errors.description?.message}>
          <TextArea rows={3} {...form.register("description")} />
        </Field>
        <div className={styles.pair}>
          <Field label="Price in dollars" error={errors.price?.message}>
            <Input inputMode="decimal" autoComplete="off" {...form.register("price")} />
          </Field>
          <Field label="Length" error={errors.length?.message}>
            <Select {...form.register("length")}>
              <option value="minutes">A number of minutes</option>
              <option value="label">{label}</option>
            </Select>
          </Field>
          {length === "minutes" && (
            <Field label="Minutes" error={errors.minutes?.message}>
              <Input inputMode="numeric" autoComplete="off" {...form.register("minutes")} />
            </Field>
          )}
        </div>
        <Field label="What it includes" optional hint="One point a line." error={errors.features?.message}>
          <TextArea rows={4} {...form.register("features")} />
        </Field>
        <div className={styles.check}>
          <input id="service-popular" type="checkbox" {...form.register("popular")} />
          <label htmlFor="service-popular">Mark it as popular</label>
        </div>
        {save.isError && <Notice tone="danger">{why(save.error)}</Notice>}
      </form>
    </Dialog>
  );
}
