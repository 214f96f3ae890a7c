import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { useForm, type FieldPath } from "react-hook-form";
import { toast } from "@/lib/toast-store";
import { isEditConflict, errorMessage } from "@/lib/errors";
import { useUpdateSite } from "../api/update-site";
import { changesOf, siteSchema, valuesOf, type SiteValues } from "./site-schema";
import type { SiteProfile } from "./types";
import { ApiError } from "@porchlight/shared/client";

/** The state of the site form. What is typed is kept until it is saved, also when the site changed elsewhere. */
export function useSiteForm(site: SiteProfile, reload: () => Promise<SiteProfile | null>) {
  const save = useUpdateSite();
  const [base, setBase] = useState(site);
  const [hasConflict, setHasConflict] = useState(false);
  const form = useForm<SiteValues>({ resolver: zodResolver(siteSchema), defaultValues: valuesOf(site) });

  async function submit(submitted: SiteValues, since = base) {
    try {
      const saved = await save.mutateAsync({ ...changesOf(submitted, since), revision: since.revision });
      setBase(saved);
      setHasConflict(false);
      form.reset(valuesOf(saved));
      toast.success("Saved. Your changes are live.");
    } catch (reason) {
      if (isEditConflict(reason)) {
        setHasConflict(true);
        return;
      }
      toast.error(errorMessage(reason));
      if (!(reason instanceof ApiError)) return;
      for (const [name, message] of Object.entries(reason.fields)) {
        const field = name.split(".")[0] as FieldPath<SiteValues>;
        if (field in submitted) form.setError(field, { message }, { shouldFocus: true });
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

  return {
    form,
    /** The site as it was when typing began. */
    base,
    hasConflict,
    isSaving: save.isPending,
    submit: form.handleSubmit((submitted) => submit(submitted)),
    merge,
    discard: () => form.reset(valuesOf(base)),
  };
}
