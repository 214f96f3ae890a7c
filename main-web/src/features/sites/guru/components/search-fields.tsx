import { useWatch, type UseFormReturn } from "react-hook-form";
import { Field, Input, TextArea } from "@/components/ui/field";
import { useConsole } from "@/features/console/contract";
import { SectionCard } from "@/components/ui/section-card";
import split from "@/components/split.module.css";
import type { SiteValues } from "../lib/site-schema";
import { displayUrl } from "@porchlight/shared/format/urls";

/** How search engines show the site. */
export function SearchFields({ form }: { form: UseFormReturn<SiteValues> }) {
  const guru = useConsole();
  const { errors } = form.formState;
  const values = useWatch({ control: form.control });
  return (
    <SectionCard id="site-search" title="Search preview">
      <Field label="Title" optional error={errors.seoTitle?.message}>
        <Input autoComplete="off" {...form.register("seoTitle")} />
      </Field>
      <Field label="Description" optional hint="One or two sentences." error={errors.seoDescription?.message}>
        <TextArea rows={3} {...form.register("seoDescription")} />
      </Field>
      <div className={split.result} aria-label="Search result preview" role="group">
        <p className={split.where}>{displayUrl(guru.address)}</p>
        <p className={split.found}>{values.seoTitle || values.character || "Your name"}</p>
        <p className={split.said}>{values.seoDescription || values.tagline || "Your tagline goes here."}</p>
      </div>
    </SectionCard>
  );
}
