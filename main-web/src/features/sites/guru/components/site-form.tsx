import { zodResolver } from "@hookform/resolvers/zod";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useForm, useWatch, type FieldPath } from "react-hook-form";
import { PlaceHint } from "@/features/places/contract";
import { Button } from "@/components/ui/button";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { useConsole, Omissions, PreviewFrame } from "@/features/console/contract";
import { ButtonRow, Stack } from "@/components/ui/stack";
import { SectionCard } from "@/components/ui/section-card";
import { FieldPair } from "@/components/ui/field-pair";
import { Hint } from "@/components/ui/hint";
import { Choice, Choices } from "@/components/ui/choices";
import split from "@/components/split.module.css";
import { isEditConflict, errorMessage } from "@/lib/errors";
import type { SiteProfile } from "../lib/types";
import { changesOf, validPartOf, ICONS, siteSchema, valuesOf, type SiteValues } from "../lib/site-schema";
import { useUpdateSite } from "../api/update-site";
import { PresetColors } from "./preset-colors";
import { ColorField } from "./color-field";
import { ApiError } from "@porchlight/shared/client";
import { displayUrl } from "@porchlight/shared/format/urls";

const PAGES = [
  { page: "/", label: "Home" },
  { page: "/about", label: "About" },
  { page: "/services", label: "Services" },
] as const;

/** The site form, and a preview of the site. The input is kept until it is saved. */
export function SiteForm({ site, reload }: { site: SiteProfile; reload: () => Promise<SiteProfile | null> }) {
  const guru = useConsole();
  const save = useUpdateSite();
  const [base, setBase] = useState(site);
  const [conflict, setConflict] = useState(false);
  const [page, setPage] = useState<(typeof PAGES)[number]["page"]>("/");
  const [isPreviewOpen, setIsPreviewOpen] = useState(false);
  const form = useForm<SiteValues>({ resolver: zodResolver(siteSchema), defaultValues: valuesOf(site) });
  const values = useWatch({ control: form.control }) as SiteValues;
  const { errors } = form.formState;
  const previewProfile = validPartOf(values);

  async function submit(submitted: SiteValues, since = base) {
    try {
      const saved = await save.mutateAsync({ ...changesOf(submitted, since), revision: since.revision });
      setBase(saved);
      setConflict(false);
      form.reset(valuesOf(saved));
      toast.success("Saved. Your changes are live.");
    } catch (reason) {
      if (isEditConflict(reason)) {
        setConflict(true);
        return;
      }
      toast.error(errorMessage(reason));
      if (!(reason instanceof ApiError)) return;
      for (const [name, message] of Object.entries(reason.fields)) {
        const field = name.split(".")[0] as FieldPath<SiteValues>;
        if (field in values) form.setError(field, { message }, { shouldFocus: true });
      }
    }
  }

  /** Apply the local changes to the current site: fields changed only in the other tab keep their values. */
  async function merge() {
    const localChanges = changesOf(form.getValues(), base);
    const current = await reload();
    if (!current) return;
    const merged = { ...valuesOf(current) };
    for (const name of Object.keys(localChanges)) {
      const field = name as keyof SiteValues;
      Object.assign(merged, { [field]: form.getValues(field) });
    }
    setBase(current);
    form.reset(merged);
    await submit(merged, current);
  }

  const searchTitle = values.seoTitle || values.character;
  return (
    <div className={split.split} data-looking={isPreviewOpen}>
      <Stack as="form" noValidate onSubmit={(event) => void form.handleSubmit((submitted) => submit(submitted))(event)}>
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
                text={values.city}
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
            <TextArea rows={10} onFocus={() => setPage("/about")} {...form.register("about")} />
          </Field>
          <Omissions sentences={base.aboutOmissions} />
        </SectionCard>

        <SectionCard id="site-look" title="Colors and icon">
          <FieldPair>
            <ColorField
              label="Primary color"
              value={values.primaryColor}
              error={errors.primaryColor?.message}
              onChange={(color) => form.setValue("primaryColor", color, { shouldDirty: true })}
            />
            <ColorField
              label="Secondary color"
              value={values.secondaryColor}
              error={errors.secondaryColor?.message}
              onChange={(color) => form.setValue("secondaryColor", color, { shouldDirty: true })}
            />
          </FieldPair>
          <PresetColors
            presets={site.presetColors}
            chosen={values}
            onChoose={({ primaryColor, secondaryColor }) => {
              form.setValue("primaryColor", primaryColor, { shouldDirty: true, shouldValidate: true });
              form.setValue("secondaryColor", secondaryColor, { shouldDirty: true, shouldValidate: true });
            }}
          />
          <Hint>
            The pairs above are free. Colors of your own are part of Premium Angel. We'll adjust shades so text stays
            easy to read (contrast of at least 4.5:1).
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
        </SectionCard>

        <SectionCard id="site-search" title="Search preview">
          <Field label="Title" optional error={errors.seoTitle?.message}>
            <Input autoComplete="off" {...form.register("seoTitle")} />
          </Field>
          <Field label="Description" optional hint="One or two sentences." error={errors.seoDescription?.message}>
            <TextArea rows={3} {...form.register("seoDescription")} />
          </Field>
          <div className={split.result} aria-label="Search result preview" role="group">
            <p className={split.where}>{displayUrl(guru.address)}</p>
            <p className={split.found}>{searchTitle || "Your name"}</p>
            <p className={split.said}>{values.seoDescription || values.tagline || "Your tagline goes here."}</p>
          </div>
        </SectionCard>

        <div className={split.save}>
          {conflict && (
            <Notice tone="warning">
              Your site was changed in another tab or on another device. Your changes aren't lost.{" "}
              <Button size="sm" variant="secondary" loading={save.isPending} onClick={() => void merge()}>
                Save my changes on top
              </Button>
            </Notice>
          )}
          <ButtonRow>
            <Button type="submit" loading={save.isPending} disabled={!form.formState.isDirty || conflict}>
              Save changes
            </Button>
            {form.formState.isDirty && (
              <Button variant="ghost" onClick={() => form.reset(valuesOf(base))}>
                Discard
              </Button>
            )}
            <Button
              variant="secondary"
              className={split.toggle}
              aria-pressed={isPreviewOpen}
              onClick={() => setIsPreviewOpen(!isPreviewOpen)}
            >
              {isPreviewOpen ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
              {isPreviewOpen ? "Hide preview" : "Preview"}
            </Button>
          </ButtonRow>
        </div>
      </Stack>

      <aside className={split.aside} aria-label="Preview">
        <Choices label="Page">
          {PAGES.map(({ page: each, label }) => (
            <Choice key={each} aria-pressed={page === each} onClick={() => setPage(each)}>
              {label}
            </Choice>
          ))}
        </Choices>
        {guru.status !== "active" ? (
          <Notice>Publish your site to see a preview.</Notice>
        ) : (
          <PreviewFrame of={{ page, face: previewProfile }} title="Preview of your site" />
        )}
      </aside>
    </div>
  );
}
