import { zodResolver } from "@hookform/resolvers/zod";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { useForm, useWatch, type FieldPath } from "react-hook-form";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Input, Select, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import { ColourField } from "./colour-field";
import { useConsole } from "./console-layout";
import styles from "./console.module.css";
import { PreviewFrame } from "./preview-frame";
import { usePutSite } from "./site-calls";
import { changesOf, drawable, ICONS, siteSchema, valuesOf, type SiteValues } from "./site-schema";
import split from "./split.module.css";
import type { SiteData } from "./types";
import { changedElsewhere, spoken, why } from "./words";
import { ApiError } from "@porchlight/shared/client";

const PAGES = [
  { page: "/", label: "Home" },
  { page: "/about", label: "About" },
  { page: "/services", label: "Services" },
] as const;

/** The form and, beside or below it, the real site as it would be. What was typed stays until the server has it. */
export function SiteForm({ site, reload }: { site: SiteData; reload: () => Promise<SiteData | null> }) {
  const guru = useConsole();
  const save = usePutSite();
  const [base, setBase] = useState(site);
  const [conflict, setConflict] = useState(false);
  const [page, setPage] = useState<(typeof PAGES)[number]["page"]>("/");
  const [looking, setLooking] = useState(false);
  const form = useForm<SiteValues>({ resolver: zodResolver(siteSchema), defaultValues: valuesOf(site) });
  const values = useWatch({ control: form.control }) as SiteValues;
  const { errors } = form.formState;
  const face = drawable(values);

  async function submit(given: SiteValues, since = base) {
    try {
      const saved = await save.mutateAsync({ ...changesOf(given, since), revision: since.revision });
      setBase(saved);
      setConflict(false);
      form.reset(valuesOf(saved));
      toast.success("Saved. Your site shows it now.");
    } catch (reason) {
      if (changedElsewhere(reason)) {
        setConflict(true);
        return;
      }
      toast.error(why(reason));
      if (!(reason instanceof ApiError)) return;
      for (const [name, message] of Object.entries(reason.fields)) {
        const field = name.split(".")[0] as FieldPath<SiteValues>;
        if (field in values) form.setError(field, { message }, { shouldFocus: true });
      }
    }
  }

  /** One's own changes onto the site as it is now: fields that only the other tab changed keep its words. */
  async function merge() {
    const mine = changesOf(form.getValues(), base);
    const now = await reload();
    if (!now) return;
    const merged = { ...valuesOf(now) };
    for (const name of Object.keys(mine)) {
      const field = name as keyof SiteValues;
      Object.assign(merged, { [field]: form.getValues(field) });
    }
    setBase(now);
    form.reset(merged);
    await submit(merged, now);
  }

  const searchTitle = values.seoTitle || values.character;
  return (
    <div className={split.split} data-looking={looking}>
      <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit((given) => submit(given))(event)}>
        <Card as="section" aria-labelledby="site-you" className={styles.form}>
          <h2 id="site-you" className={styles.heading}>
            Who you are
          </h2>
          <Field label="Name" hint="The name of your site, such as “Chef Rosa”." error={errors.character?.message}>
            <Input autoComplete="off" {...form.register("character")} />
          </Field>
          <Field label="Tagline" optional error={errors.tagline?.message}>
            <Input autoComplete="off" {...form.register("tagline")} />
          </Field>
          <Field
            label="Skills"
            optional
            hint="With commas between them. Your home page shows the first five."
            error={errors.primarySkills?.message}
          >
            <Input autoComplete="off" {...form.register("primarySkills")} />
          </Field>
          <div className={styles.pair}>
            <Field label="City" optional error={errors.city?.message}>
              <Input autoComplete="off" {...form.register("city")} />
            </Field>
            <Field label="Contact email" optional hint="Leads go there. Never shown." error={errors.contactEmail?.message}>
              <Input type="email" autoComplete="email" {...form.register("contactEmail")} />
            </Field>
          </div>
          <Field label="About" optional hint="Markdown: ## heading, **bold**, - list, [link](https://…)" error={errors.about?.message}>
            <TextArea rows={10} onFocus={() => setPage("/about")} {...form.register("about")} />
          </Field>
        </Card>

        <Card as="section" aria-labelledby="site-look" className={styles.form}>
          <h2 id="site-look" className={styles.heading}>
            Look
          </h2>
          <div className={styles.pair}>
            <ColourField
              label="Primary color"
              value={values.primaryColor}
              error={errors.primaryColor?.message}
              onChange={(colour) => form.setValue("primaryColor", colour, { shouldDirty: true })}
            />
            <ColourField
              label="Secondary color"
              value={values.secondaryColor}
              error={errors.secondaryColor?.message}
              onChange={(colour) => form.setValue("secondaryColor", colour, { shouldDirty: true })}
            />
          </div>
          <p className={styles.hint}>
            Any two colors work: every other shade is derived from them, and words always keep a contrast of at least 4.5:1.
          </p>
          <div className={styles.pair}>
            <Field label="Icon" error={errors.icon?.message}>
              <Select {...form.register("icon")}>
                {ICONS.map((icon) => (
                  <option key={icon} value={icon}>
                    {icon.charAt(0).toUpperCase() + icon.slice(1)}
                  </option>
                ))}
              </Select>
            </Field>
            <Field label="Emoji" optional error={errors.emoji?.message}>
              <Input autoComplete="off" {...form.register("emoji")} />
            </Field>
          </div>
        </Card>

        <Card as="section" aria-labelledby="site-search" className={styles.form}>
          <h2 id="site-search" className={styles.heading}>
            In search results
          </h2>
          <Field label="Title" optional error={errors.seoTitle?.message}>
            <Input autoComplete="off" {...form.register("seoTitle")} />
          </Field>
          <Field label="Description" optional hint="One or two sentences." error={errors.seoDescription?.message}>
            <TextArea rows={3} {...form.register("seoDescription")} />
          </Field>
          <div className={split.result} aria-label="How a search engine may show it" role="group">
            <p className={split.where}>{spoken(guru.address)}</p>
            <p className={split.found}>{searchTitle || "Your name"}</p>
            <p className={split.said}>{values.seoDescription || values.tagline || "Your tagline stands here."}</p>
          </div>
        </Card>

        <div className={split.save}>
          {conflict && (
            <Notice tone="lamp">
              Your site was changed in another tab or on another device. Nothing you wrote here is lost.{" "}
              <Button size="sm" variant="secondary" loading={save.isPending} onClick={() => void merge()}>
                Save my changes on top
              </Button>
            </Notice>
          )}
          <div className={styles.buttons}>
            <Button type="submit" loading={save.isPending} disabled={!form.formState.isDirty || conflict}>
              Save changes
            </Button>
            {form.formState.isDirty && (
              <Button variant="ghost" onClick={() => form.reset(valuesOf(base))}>
                Discard
              </Button>
            )}
            <Button variant="secondary" className={split.toggle} aria-pressed={looking} onClick={() => setLooking(!looking)}>
              {looking ? <EyeOff size={16} aria-hidden="true" /> : <Eye size={16} aria-hidden="true" />}
              {looking ? "Hide preview" : "Preview"}
            </Button>
          </div>
        </div>
      </form>

      <aside className={split.aside} aria-label="Preview">
        <div className={styles.choices} role="group" aria-label="Page">
          {PAGES.map(({ page: each, label }) => (
            <button key={each} type="button" className={styles.choice} aria-pressed={page === each} onClick={() => setPage(each)}>
              {label}
            </button>
          ))}
        </div>
        {guru.status !== "active" ? (
          <Notice>There is a preview while your site is live: it is drawn on your own address.</Notice>
        ) : (
          <PreviewFrame of={{ page, face }} title="Preview of your site" />
        )}
      </aside>
    </div>
  );
}
