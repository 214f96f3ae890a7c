import type { UseFormReturn } from "react-hook-form";
import { DOCUMENT_TYPES } from "@/lib/document-labels";
import { Field, Input, Select } from "@/components/ui/field";
import { REQUIRED_DETAILS, type DocumentForm as Values } from "../lib/document-schema";
import styles from "./documents.module.css";
import type { Category } from "../lib/types";

type DocumentDetailsFieldsProps = {
  form: UseFormReturn<Values>;
  /** The chosen type of document, "" before one is chosen. */
  type: string;
  categories: readonly Category[];
};

/** What a document is: its type, category, issuer, number and dates. */
export function DocumentDetailsFields({ form, type, categories }: DocumentDetailsFieldsProps) {
  const { register, formState } = form;
  const { errors } = formState;
  // Nothing is required before a type is chosen, though the menu's first entry is no type.
  const needs = (REQUIRED_DETAILS as Readonly<Record<string, readonly string[]>>)[type] ?? [];
  return (
    <div className={styles.pair}>
      <Field label="Type" error={errors.type?.message}>
        <Select {...register("type")}>
          <option value="">Choose…</option>
          {Object.entries(DOCUMENT_TYPES).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Category" error={errors.category?.message} optional>
        <Select {...register("category")}>
          <option value="">All my categories</option>
          {categories
            .filter(({ comingSoon }) => !comingSoon)
            .map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
        </Select>
      </Field>
      <Field
        label="Provider"
        hint="The organization that issued it."
        error={errors.provider?.message}
        optional={!needs.includes("provider")}
      >
        <Input {...register("provider")} maxLength={160} autoComplete="off" />
      </Field>
      <Field
        label="Number"
        hint="License or policy number."
        error={errors.number?.message}
        optional={!needs.includes("number")}
      >
        <Input {...register("number")} maxLength={80} autoComplete="off" />
      </Field>
      <Field label="Issued on" error={errors.issued_on?.message} optional>
        <Input type="date" {...register("issued_on")} />
      </Field>
      <Field
        label="Expires on"
        hint="We'll remind you before it expires."
        error={errors.expires_on?.message}
        optional={!needs.includes("expires_on")}
      >
        <Input type="date" {...register("expires_on")} />
      </Field>
    </div>
  );
}
