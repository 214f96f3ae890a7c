import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ButtonRow, Stack } from "@/components/ui/stack";
import split from "@/components/split.module.css";
import type { SiteProfile } from "../lib/types";
import { useSiteForm } from "../lib/use-site-form";
import { AboutFields } from "./about-fields";
import { LookFields } from "./look-fields";
import { SearchFields } from "./search-fields";
import { SitePreview, type PreviewedPage } from "./site-preview";

/** The site form, and a preview of the site. The input is kept until it is saved. */
export function SiteForm({ site, reload }: { site: SiteProfile; reload: () => Promise<SiteProfile | null> }) {
  const state = useSiteForm(site, reload);
  const { form, base, hasConflict, isSaving } = state;
  const [page, setPage] = useState<PreviewedPage>("/");
  const [isPreviewOpen, setIsPreviewOpen] = useState(false);
  return (
    <div className={split.split} data-looking={isPreviewOpen}>
      <Stack as="form" noValidate onSubmit={(event) => void state.submit(event)}>
        <AboutFields form={form} omissions={base.aboutOmissions} onFocusAbout={() => setPage("/about")} />
        <LookFields form={form} presets={site.presetColors} />
        <SearchFields form={form} />
        <div className={split.save}>
          {hasConflict && (
            <Notice tone="warning">
              Your site was changed in another tab or on another device. Your changes aren't lost.{" "}
              <Button size="sm" variant="secondary" loading={isSaving} onClick={() => void state.merge()}>
                Save my changes on top
              </Button>
            </Notice>
          )}
          <ButtonRow>
            <Button type="submit" loading={isSaving} disabled={!form.formState.isDirty || hasConflict}>
              Save changes
            </Button>
            {form.formState.isDirty && (
              <Button variant="ghost" onClick={state.discard}>
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
      <SitePreview form={form} page={page} onChoosePage={setPage} />
    </div>
  );
}
