import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm } from "react-hook-form";
import {
  array,
  boolean,
  maxLength,
  minLength,
  nullable,
  number,
  object,
  refine,
  string,
  type infer as Infer,
} from "zod/mini";
import { readSavedLocation } from "@/lib/saved-location";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import styles from "./angels.module.css";
import { WEEKDAYS } from "../lib/labels";
import type { AngelService } from "../api/get-angels";
import { useUpdateOwnService } from "../api/update-own-service";
import type { OwnService } from "../api/get-own-services";
import { LocationField, locationPayload } from "./location-field";
import { ApiError } from "@porchlight/shared/client";
import { RADIUS_MILES } from "@porchlight/shared/format/distance";
import { parseMoney } from "@porchlight/shared/format/money";

const RADII = RADIUS_MILES.filter((miles) => miles <= 50);
const MAILS = [0, 1, 3, 5, 10, 20];

const place = object({ text: string(), point: nullable(object({ latitude: number(), longitude: number() })) });
const schema = object({
  rate: string().check(
    refine((text) => {
      const cents = parseMoney(text);
      return cents !== null && cents >= 100 && cents <= 50_000;
    }, "Enter your hourly rate ($1–$500)"),
  ),
  about: string().check(maxLength(600, "Keep it under 600 characters")),
  days: array(string()).check(minLength(1, "Choose at least one day")),
  radius: string(),
  mails: string(),
  active: boolean(),
  place: place.check(refine(({ text }) => text.trim() !== "", "Enter a city")),
});
type Values = Infer<typeof schema>;

/** Return the usual options, with the current value added if it is not among them. */
function choices(usual: readonly number[], present: number | undefined): number[] {
  return [...new Set([...usual, ...(present === undefined ? [] : [present])])].sort((a, b) => a - b);
}

function valuesOf(current: OwnService | undefined): Values {
  const text = current ? [current.city, current.region].filter(Boolean).join(", ") : (readSavedLocation() ?? "");
  return {
    rate: current ? String(current.rateCents / 100) : "",
    about: current?.about ?? "",
    days: (current?.days ?? [6, 7]).map(String),
    radius: String(current?.radiusMiles ?? 10),
    mails: String(current?.mailsADay ?? 5),
    active: current?.active ?? true,
    place: { text, point: null },
  };
}

/** How the user helps with one service. The input is kept until it is saved. */
export function ServiceOfferForm({ service, current }: { service: AngelService; current: OwnService | undefined }) {
  const change = useUpdateOwnService();
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: valuesOf(current) });
  const { errors, isDirty, dirtyFields } = form.formState;

  async function submit(values: Values) {
    const help = {
      rateCents: parseMoney(values.rate) ?? 0,
      about: values.about.trim(),
      days: values.days.map(Number),
      radiusMiles: Number(values.radius),
      mailsADay: Number(values.mails),
      active: values.active,
      // Only send the place when it was edited, so that the stored one stays exact.
      ...((!current || dirtyFields.place) && { place: locationPayload(values.place) }),
    };
    try {
      const saved = await change.mutateAsync({ service: service.id, help });
      form.reset(valuesOf(saved.services.find(({ serviceId }) => serviceId === service.id)));
      toast.success(current ? "Saved." : `You're now an angel for ${service.title}.`);
    } catch (reason) {
      if (!(reason instanceof ApiError)) return;
      if (reason.fields.place) form.setError("place", { message: reason.fields.place }, { shouldFocus: true });
      if (reason.fields.rateCents) form.setError("rate", { message: reason.fields.rateCents }, { shouldFocus: true });
    }
  }

  async function stop() {
    await change.mutateAsync({ service: service.id, help: null }).catch(() => undefined);
  }

  return (
    <form noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
      <UnsavedGuard unsaved={isDirty && !change.isPending} />
      <Card className={styles.form}>
        <h2 className={styles.heading}>{service.title}</h2>
        <div className={styles.pair}>
          <Field
            label="Hourly rate ($)"
            error={errors.rate?.message}
            hint={`The average rate is $${service.avgPrice}.`}
          >
            <Input inputMode="decimal" autoComplete="off" {...form.register("rate")} />
          </Field>
          <Field label="How far you'll travel" error={errors.radius?.message}>
            <Select {...form.register("radius")}>
              {choices(RADII, current?.radiusMiles).map((miles) => (
                <option key={miles} value={miles}>
                  {miles === 1 ? "1 mile" : `${miles} miles`}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Field
          label="About your services"
          optional
          hint="Your experience, tools you bring and what you like doing."
          error={errors.about?.message}
        >
          <TextArea rows={3} {...form.register("about")} />
        </Field>
        <fieldset className={styles.fieldset}>
          <legend className={styles.legend}>Days you're available</legend>
          <div className={styles.days}>
            {WEEKDAYS.map((day, index) => (
              <label key={day} className={styles.day}>
                <input type="checkbox" value={String(index + 1)} {...form.register("days")} />
                <span>{day}</span>
              </label>
            ))}
          </div>
          {errors.days?.message && <Notice tone="danger">{errors.days.message}</Notice>}
        </fieldset>
        <Controller
          control={form.control}
          name="place"
          render={({ field }) => (
            <LocationField
              label="Your location"
              hint="City and state, such as Denver, Colorado. Neighbors only see your city and about how far away you are."
              value={field.value}
              onChange={field.onChange}
              error={errors.place?.message ?? errors.place?.text?.message}
            />
          )}
        />
        <Field label="Email alerts" hint="Daily limit for emails about new needs.">
          <Select {...form.register("mails")}>
            {choices(MAILS, current?.mailsADay).map((count) => (
              <option key={count} value={count}>
                {count === 0 ? "None" : `${count} per day`}
              </option>
            ))}
          </Select>
        </Field>
        {current && (
          <label>
            <input type="checkbox" {...form.register("active")} /> I'm available for this right now
          </label>
        )}
        {change.isError && <Notice tone="danger">{change.error.message}</Notice>}
        <div className={styles.buttons}>
          <Button type="submit" loading={change.isPending}>
            {current ? "Save" : "Become an angel"}
          </Button>
          {current && (
            <Button variant="ghost" disabled={change.isPending} onClick={() => void stop()}>
              Stop offering this
            </Button>
          )}
        </div>
      </Card>
    </form>
  );
}
