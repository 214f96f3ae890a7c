import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, useWatch } from "react-hook-form";
import { z } from "zod";
import { Button } from "@/components/ui/button";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { RiskPreview } from "./risk-preview";
import type { Listing } from "../api/get-listing";
import styles from "./listings.module.css";
import { useUpdateListing } from "../api/update-listing";
import { DAYS, FORMATS, TERMS } from "../lib/labels";
import { milesToKm, RADIUS_MILES, radiusMiles } from "@porchlight/shared/format/distance";

const keys = <T extends string>(record: Record<T, string>) => Object.keys(record) as T[];

const schema = z
  .object({
    level: z.enum(["", "beginner", "intermediate", "advanced", "expert"]),
    details: z.string().trim().max(2000, "2,000 characters max"),
    formats: z.array(z.enum(["in_person", "online"])).min(1, "Choose at least one."),
    terms: z.array(z.enum(["price", "swap", "hours", "free"])).min(1, "Choose at least one."),
    price: z.string().trim(),
    miles: z.coerce.number<string>(),
    days: z.array(z.enum(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])).min(1, "Choose at least one."),
  })
  .refine(({ terms, price }) => !terms.includes("price") || (Number(price) >= 1 && Number(price) <= 10_000), {
    path: ["price"],
    message: "Enter an hourly rate of at least $1.",
  });
type Fields = z.input<typeof schema>;
type Sent = z.output<typeof schema>;

/** The form of a listing. */
export function ListingForm({ listing, onDone }: { listing: Listing; onDone: () => void }) {
  const describe = useUpdateListing();
  const form = useForm<Fields, unknown, Sent>({
    resolver: zodResolver(schema),
    defaultValues: {
      level: listing.level ?? "",
      details: listing.details,
      formats: listing.formats,
      terms: listing.terms,
      price: listing.priceCents === null ? "" : String(listing.priceCents / 100),
      miles: String(radiusMiles(listing.radiusKm)),
      days: listing.days,
    },
  });
  const { errors } = form.formState;
  const [terms, details] = useWatch({ control: form.control, name: ["terms", "details"] });
  const priced = terms.includes("price");

  const send = form.handleSubmit(({ level, price, miles, ...rest }) =>
    describe.mutate(
      {
        id: listing.id,
        fields: {
          ...rest,
          level: level || null,
          priceCents: rest.terms.includes("price") ? Math.round(Number(price) * 100) : null,
          radiusKm: milesToKm(miles),
        },
      },
      { onSuccess: onDone },
    ),
  );

  return (
    <form
      className={styles.form}
      onSubmit={(event) => void send(event)}
      noValidate
      aria-label={`Edit ${listing.title}`}
    >
      {describe.isError && <Notice tone="danger">{describe.error.message}</Notice>}
      <Field label="About this skill" optional error={errors.details?.message}>
        <TextArea rows={4} maxLength={2000} {...form.register("details")} />
      </Field>
      <RiskPreview listing={listing} text={details} />
      <div className={styles.formRow}>
        <Field label="My level">
          <Select {...form.register("level")}>
            <option value="">Not set</option>
            {["beginner", "intermediate", "advanced", "expert"].map((level) => (
              <option key={level}>{level}</option>
            ))}
          </Select>
        </Field>
        <Field label="Distance">
          <Select {...form.register("miles")}>
            {RADIUS_MILES.map((miles) => (
              <option key={miles} value={miles}>
                Within {miles} miles
              </option>
            ))}
          </Select>
        </Field>
        {priced && (
          <Field label="Hourly rate ($)" error={errors.price?.message}>
            <Input inputMode="decimal" maxLength={8} {...form.register("price")} />
          </Field>
        )}
      </div>
      <Choices legend="Format" error={errors.formats?.message}>
        {keys(FORMATS).map((value) => (
          <Choice key={value} value={value} label={FORMATS[value]} field={form.register("formats")} />
        ))}
      </Choices>
      <Choices legend="Terms" error={errors.terms?.message}>
        {keys(TERMS).map((value) => (
          <Choice key={value} value={value} label={TERMS[value]} field={form.register("terms")} />
        ))}
      </Choices>
      <Choices legend="Days" error={errors.days?.message}>
        {keys(DAYS).map((value) => (
          <Choice key={value} value={value} label={DAYS[value]} field={form.register("days")} />
        ))}
      </Choices>
      <div className={styles.actions}>
        <Button type="submit" size="sm" loading={describe.isPending}>
          Save listing
        </Button>
        <Button size="sm" variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function Choices({
  legend,
  error,
  children,
}: {
  legend: string;
  error: string | undefined;
  children: React.ReactNode;
}) {
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {children}
      {error && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

type ChoiceProps = { value: string; label: string; field: React.ComponentProps<"input"> };

function Choice({ value, label, field }: ChoiceProps) {
  return (
    <label className={styles.choice}>
      <input type="checkbox" value={value} {...field} />
      {label}
    </label>
  );
}
