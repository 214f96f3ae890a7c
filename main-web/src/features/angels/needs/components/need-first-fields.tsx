import { Controller, useFormContext } from "react-hook-form";
import { Field, Input } from "@/components/ui/field";
import { LocationField } from "../../components/location-field";
import styles from "../../components/angels.module.css";
import { LATEST_DAY, MAX_TITLE, type NeedValues } from "../lib/need-schema";
import { isoDateFromToday } from "@porchlight/shared/format/dates";

/** The three questions that come first: what, where and when. */
export function NeedFirstFields() {
  const { control, formState, register } = useFormContext<NeedValues>();
  const { errors } = formState;
  const days = { min: isoDateFromToday(0), max: isoDateFromToday(LATEST_DAY) };
  return (
    <>
      <Field label="What do you need?" error={errors.title?.message}>
        <Input placeholder="Fix a leaning fence" maxLength={MAX_TITLE} {...register("title")} />
      </Field>
      <Controller
        control={control}
        name="place"
        render={({ field }) => (
          <LocationField
            label="Where"
            hint="City and state. Only your city is shown until you accept an offer."
            inputRef={field.ref}
            value={field.value}
            onChange={field.onChange}
            error={errors.place?.message ?? errors.place?.text?.message}
          />
        )}
      />
      <div className={styles.pair}>
        <Field label="From" error={errors.from?.message}>
          <Input type="date" {...days} {...register("from")} />
        </Field>
        <Field label="To" error={errors.until?.message}>
          <Input type="date" {...days} {...register("until")} />
        </Field>
      </div>
    </>
  );
}
