import { useWatch, type UseFormReturn } from "react-hook-form";
import { Field, Select } from "@/components/ui/field";
import { SectionCard } from "@/components/ui/section-card";
import { FieldPair } from "@/components/ui/field-pair";
import { RadioGroup } from "@/components/ui/radio-group";
import { Hint } from "@/components/ui/hint";
import type { SiteProfile } from "../lib/types";
import { APPEARANCES, ICONS, TYPEFACES, type SiteValues } from "../lib/site-schema";
import { PresetColors } from "./preset-colors";
import { ColorField } from "./color-field";

type LookFieldsProps = { form: UseFormReturn<SiteValues>; presets: SiteProfile["presetColors"] };

/** Light or dark pages, the colors, the icon and the typefaces of the site. */
export function LookFields({ form, presets }: LookFieldsProps) {
  const { errors } = form.formState;
  const [primaryColor, secondaryColor, appearance, typeface] = useWatch({
    control: form.control,
    name: ["primaryColor", "secondaryColor", "appearance", "typeface"],
  });
  return (
    <SectionCard id="site-look" title="Look">
      <RadioGroup
        label="Light or dark"
        choices={APPEARANCES}
        value={appearance}
        onChange={(value) => form.setValue("appearance", value, { shouldDirty: true })}
      />
      <FieldPair>
        <ColorField
          label="Primary color"
          value={primaryColor}
          appearance={appearance}
          error={errors.primaryColor?.message}
          onChange={(color) => form.setValue("primaryColor", color, { shouldDirty: true })}
        />
        <ColorField
          label="Secondary color"
          value={secondaryColor}
          appearance={appearance}
          error={errors.secondaryColor?.message}
          onChange={(color) => form.setValue("secondaryColor", color, { shouldDirty: true })}
        />
      </FieldPair>
      <PresetColors
        presets={presets}
        chosen={{ primaryColor, secondaryColor }}
        onChoose={(colors) => {
          form.setValue("primaryColor", colors.primaryColor, { shouldDirty: true, shouldValidate: true });
          form.setValue("secondaryColor", colors.secondaryColor, { shouldDirty: true, shouldValidate: true });
        }}
      />
      <Hint>
        The pairs above are free. Colors of your own are part of Premium Angel. We'll adjust shades so text stays easy
        to read (contrast of at least 4.5:1).
      </Hint>
      <Field label="Icon" error={errors.icon?.message}>
        <Select {...form.register("icon")}>
          {ICONS.map((icon) => (
            <option key={icon} value={icon}>
              {icon.charAt(0).toUpperCase() + icon.slice(1)}
            </option>
          ))}
        </Select>
      </Field>
      <RadioGroup
        label="Letters"
        choices={TYPEFACES}
        value={typeface}
        onChange={(value) => form.setValue("typeface", value, { shouldDirty: true })}
      />
    </SectionCard>
  );
}
