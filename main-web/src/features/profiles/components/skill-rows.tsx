import { Plus, X } from "lucide-react";
import { useRef } from "react";
import { useFieldArray, type UseFormReturn } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { LEVELS, LIMITS, type ProfileValues } from "../lib/profile-schema";
import styles from "./profile.module.css";

type SkillRowsProps = { form: UseFormReturn<ProfileValues>; name: "offered" | "wanted"; legend: string; hint: string };

/** Skills with levels. Enter adds a row; removing one moves focus to the add button. */
export function SkillRows({ form, name, legend, hint }: SkillRowsProps) {
  const rows = useFieldArray({ control: form.control, name });
  const errors = form.formState.errors[name];
  const add = useRef<HTMLButtonElement>(null);
  const full = rows.fields.length >= LIMITS.skills;
  const append = () => {
    if (!full) rows.append({ name: "", level: "" });
  };

  return (
    <fieldset className={styles.rows}>
      <legend className={styles.legend}>{legend}</legend>
      <p className={styles.hint}>{hint}</p>
      {rows.fields.map((row, index) => (
        <div key={row.id} className={styles.row} role="group" aria-label={`${legend}, ${index + 1}`}>
          <Field label="Skill" error={errors?.[index]?.name?.message}>
            <Input
              maxLength={LIMITS.skill}
              {...form.register(`${name}.${index}.name`)}
              onKeyDown={(event) => {
                if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
                event.preventDefault();
                if (event.currentTarget.value.trim()) append();
              }}
            />
          </Field>
          <Field label="Level">
            <Select {...form.register(`${name}.${index}.level`)}>
              <option value="">Not set</option>
              {LEVELS.map((level) => (
                <option key={level} value={level}>
                  {level.charAt(0).toUpperCase() + level.slice(1)}
                </option>
              ))}
            </Select>
          </Field>
          <Button
            variant="ghost"
            className={styles.remove}
            aria-label={`Remove row ${index + 1} of ${legend.toLowerCase()}`}
            onClick={() => {
              rows.remove(index);
              add.current?.focus();
            }}
          >
            <X size={18} aria-hidden="true" />
          </Button>
        </div>
      ))}
      <Button ref={add} variant="secondary" size="sm" className={styles.start} disabled={full} onClick={append}>
        <Plus size={16} aria-hidden="true" />
        {name === "offered" ? "Add a skill you offer" : "Add a skill you want"}
      </Button>
    </fieldset>
  );
}
