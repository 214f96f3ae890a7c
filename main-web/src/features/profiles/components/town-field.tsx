import { useWatch, type UseFormReturn } from "react-hook-form";
import { PlaceHint } from "@/features/places/contract";
import { Field, Input } from "@/components/ui/field";
import type { ProfileValues } from "../lib/profile-schema";

/** The location of the profile: a town that is known, as its user writes it. */
export function TownField({ form }: { form: UseFormReturn<ProfileValues> }) {
  const text = useWatch({ control: form.control, name: "location" });
  const error = form.formState.errors.location?.message;
  return (
    <div>
      <Field label="Location" optional hint="City and state, such as Denver, Colorado." error={error}>
        <Input autoComplete="off" {...form.register("location")} />
      </Field>
      <PlaceHint
        text={text}
        isPublic
        hasError={Boolean(error)}
        onChoose={(label) => {
          form.setValue("location", label, { shouldDirty: true });
          form.clearErrors("location");
        }}
      />
    </div>
  );
}
