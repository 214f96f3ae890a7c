import { useFormContext, useWatch } from "react-hook-form";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import styles from "../../components/angels.module.css";
import type { AngelService } from "../../api/get-angels";
import { HOURS, type NeedValues } from "../lib/need-schema";
import { NeedPreviewCard } from "./need-preview-card";

type NeedMoreFieldsProps = {
  services: readonly AngelService[];
  /** The service that the URL chose, "" without one. */
  service: string;
};

/** The details of a need, with a suggested service and fair price. */
export function NeedMoreFields({ services, service }: NeedMoreFieldsProps) {
  const { control, formState, register, setValue } = useFormContext<NeedValues>();
  const { errors, dirtyFields } = formState;
  const values = useWatch({ control }) as NeedValues;
  return (
    <>
      <Field
        label="Details"
        hint="Anything an angel should know before making an offer."
        error={errors.description?.message}
      >
        <TextArea rows={5} {...register("description")} />
      </Field>
      <div className={styles.pair}>
        <Field label="Kind of help" error={errors.service?.message}>
          <Select {...register("service")}>
            <option value="">Choose one</option>
            {services.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="How long will it take?" error={errors.hours?.message}>
          <Select {...register("hours")}>
            {HOURS.map((hours) => (
              <option key={hours} value={hours}>
                {hours === "1" ? "About 1 hour" : `About ${hours} hours`}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Field label="Best times" optional error={errors.note?.message}>
        <Input placeholder="Weekday evenings" {...register("note")} />
      </Field>
      <NeedPreviewCard
        values={values}
        services={services}
        isServiceChosen={service !== "" || dirtyFields.service === true}
        onService={(id) => setValue("service", id, { shouldValidate: true })}
        onBudget={(cents) => setValue("budget", String(cents / 100), { shouldDirty: true, shouldValidate: true })}
      />
      <Field
        label="Budget ($)"
        optional
        hint="For the whole job. Angels may offer more or less."
        error={errors.budget?.message}
      >
        <Input inputMode="decimal" autoComplete="off" {...register("budget")} />
      </Field>
    </>
  );
}
