import { zodResolver } from "@hookform/resolvers/zod";
import { Controller, useForm } from "react-hook-form";
import { array, boolean, maxLength, minLength, nullable, number, object, refine, string, type infer as Infer } from "zod/mini";
import { readLocation } from "../../kit/remembered-location";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Input, Select, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import { UnsavedGuard } from "../../ui/unsaved-guard";
import styles from "./angels.module.css";
import { centsOf, DAYS } from "./formats";
import type { AngelService } from "./get-angels";
import { useChangeService, type OwnService } from "./own-services";
import { PlaceField, placePayload } from "./place-field";
import { ApiError } from "@porchlight/shared/client";

const RADII = [2, 5, 10, 15, 25, 50];
const MAILS = [0, 1, 3, 5, 10, 20];

const place = object({ text: string(), point: nullable(object({ latitude: number(), longitude: number() })) });
const schema = object({
  rate: string().check(
    refine((text) => {
      const cents = centsOf(text);
      return cents !== null && cents >= 100 && cents <= 50_000;
    }, "Say what you ask an hour, from $1 to $500"),
  ),
  about: string().check(maxLength(600, "600 characters are enough")),
  days: array(string()).check(minLength(1, "Choose a day at least")),
  radius: string(),
  mails: string(),
  active: boolean(),
  place: place.check(refine(({ text }) => text.trim() !== "", "Say roughly where you are")),
});
type Values = Infer<typeof schema>;

/** What is offered to choose from, with what was chosen elsewhere before. */
function choices(usual: readonly number[], present: number | undefined): number[] {
  return [...new Set([...usual, ...(present === undefined ? [] : [present])])].sort((a, b) => a - b);
}

function valuesOf(own: OwnService | undefined): Values {
  const text = own ? [own.city, own.region].filter(Boolean).join(", ") : (readLocation() ?? "");
  return {
    rate: own ? String(own.rateCents / 100) : "",
    about: own?.about ?? "",
    days: (own?.days ?? [6, 7]).map(String),
    radius: String(own?.radiusMiles ?? 10),
    mails: String(own?.mailsADay ?? 5),
    active: own?.active ?? true,
    place: { text, point: null },
  };
}

/** How one helps with one kind of thing. What was typed stays until the server has it. */
export function HelpForm({ service, own }: { service: AngelService; own: OwnService | undefined }) {
  const change = useChangeService();
  const form = useForm<Values>({ resolver: zodResolver(schema), defaultValues: valuesOf(own) });
  const { errors, isDirty, dirtyFields } = form.formState;

  async function submit(values: Values) {
    const help = {
      rateCents: centsOf(values.rate) ?? 0,
      about: values.about.trim(),
      days: values.days.map(Number),
      radiusMiles: Number(values.radius),
      mailsADay: Number(values.mails),
      active: values.active,
      // A place that was not touched stays as exactly as it is known.
      ...((!own || dirtyFields.place) && { place: placePayload(values.place) }),
    };
    try {
      const saved = await change.mutateAsync({ service: service.id, help });
      form.reset(valuesOf(saved.services.find(({ serviceId }) => serviceId === service.id)));
      toast.success(own ? "Saved." : `You are an angel for ${service.title} now.`);
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
          <Field label="Price an hour, in dollars" error={errors.rate?.message} hint={`Others ask $${service.avgPrice} on average.`}>
            <Input inputMode="decimal" autoComplete="off" {...form.register("rate")} />
          </Field>
          <Field label="How far you go" error={errors.radius?.message}>
            <Select {...form.register("radius")}>
              {choices(RADII, own?.radiusMiles).map((miles) => (
                <option key={miles} value={miles}>
                  {miles === 1 ? "1 mile" : `${miles} miles`}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Field label="About your help" optional hint="Tools you bring, what you like doing." error={errors.about?.message}>
          <TextArea rows={3} {...form.register("about")} />
        </Field>
        <fieldset className={styles.fieldset}>
          <legend className={styles.legend}>Days you have time</legend>
          <div className={styles.days}>
            {DAYS.map((day, index) => (
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
            <PlaceField
              label="Where you start from"
              hint="City and state, such as Denver, Colorado. Neighbors see the town and whole miles, never more."
              value={field.value}
              onChange={field.onChange}
              error={errors.place?.message ?? errors.place?.text?.message}
            />
          )}
        />
        <Field label="Mails about new needs" hint="At most so many a day.">
          <Select {...form.register("mails")}>
            {choices(MAILS, own?.mailsADay).map((count) => (
              <option key={count} value={count}>
                {count === 0 ? "None" : `${count} a day`}
              </option>
            ))}
          </Select>
        </Field>
        {own && (
          <label>
            <input type="checkbox" {...form.register("active")} /> I have time for this at the moment
          </label>
        )}
        {change.isError && <Notice tone="danger">{change.error.message}</Notice>}
        <div className={styles.buttons}>
          <Button type="submit" loading={change.isPending}>
            {own ? "Save" : "Become an angel"}
          </Button>
          {own && (
            <Button variant="ghost" disabled={change.isPending} onClick={() => void stop()}>
              Stop helping with this
            </Button>
          )}
        </div>
      </Card>
    </form>
  );
}
