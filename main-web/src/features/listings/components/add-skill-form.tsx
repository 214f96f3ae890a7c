import { Plus } from "lucide-react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import type { useCreateListing } from "../api/create-listing";
import styles from "./listings.module.css";

type AddSkillFormProps = { label: string; initial: string; change: ReturnType<typeof useCreateListing> };

/** Adds a skill by its title. */
export function AddSkillForm({ label, initial, change }: AddSkillFormProps) {
  const form = useForm({ defaultValues: { title: initial } });
  const title = useWatch({ control: form.control, name: "title" });
  return (
    <form
      className={styles.add}
      onSubmit={(event) =>
        void form.handleSubmit((values) => {
          if (values.title.trim()) change.mutate(values.title.trim(), { onSuccess: () => form.reset({ title: "" }) });
        })(event)
      }
    >
      <Field label={label} error={change.error?.message}>
        <Input maxLength={60} {...form.register("title")} />
      </Field>
      <Button type="submit" variant="secondary" loading={change.isPending} disabled={!title.trim()}>
        <Plus size={16} aria-hidden="true" /> Add
      </Button>
    </form>
  );
}
