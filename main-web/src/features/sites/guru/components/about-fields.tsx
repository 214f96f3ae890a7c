import { useWatch, type UseFormReturn } from "react-hook-form";
import { PlaceHint } from "@/features/places/contract";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Omissions } from "@/features/console/contract";
import { SectionCard } from "@/components/ui/section-card";
import { FieldPair } from "@/components/ui/field-pair";
import type { SiteValues } from "../lib/site-schema";

type AboutFieldsProps = {
  form: UseFormReturn<SiteValues>;
  /** What visitors will not see of the text as typed, in sentences. */
  omissions: string[];
  onFocusAbout: () => void;
};

/** Who the guru is. */
export function AboutFields({ form, omissions, onFocusAbout }: AboutFieldsProps) {
  const { errors } = form.formState;
  const city = useWatch({ control: form.control, name: "city" });
  return (
    <SectionCard id="site-you" title="About you">
      <Field label="Name" hint="The name of your site, such as “Chef Rosa”." error={errors.character?.message}>
        <Input autoComplete="off" {...form.register("character")} />
      </Field>
      <Field label="Tagline" optional error={errors.tagline?.message}>
        <Input autoComplete="off" {...form.register("tagline")} />
      </Field>
      <Field
        label="Skills"
        optional
        hint="Separate with commas. Your home page shows the first five."
        error={errors.primarySkills?.message}
      >
        <Input autoComplete="off" {...form.register("primarySkills")} />
      </Field>
      <FieldPair>
        <div>
          <Field label="City" optional error={errors.city?.message}>
            <Input autoComplete="off" {...form.register("city")} />
          </Field>
          <PlaceHint
            text={city}
            isPublic
            hasError={Boolean(errors.city)}
            onChoose={(label) => {
              form.setValue("city", label, { shouldDirty: true });
              form.clearErrors("city");
            }}
          />
        </div>
        <Field
          label="Contact email"
          optional
          hint="We send leads here. Not shown publicly."
          error={errors.contactEmail?.message}
        >
          <Input type="email" autoComplete="email" {...form.register("contactEmail")} />
        </Field>
      </FieldPair>
      <Field
        label="About"
        optional
        hint="Markdown: ## heading, **bold**, - list, [link](https://…)"
        error={errors.about?.message}
      >
        <TextArea rows={10} onFocus={onFocusAbout} {...form.register("about")} />
      </Field>
      <Omissions sentences={omissions} />
    </SectionCard>
  );
}
