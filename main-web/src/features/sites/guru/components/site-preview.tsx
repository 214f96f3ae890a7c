import { useWatch, type UseFormReturn } from "react-hook-form";
import { Notice } from "@/components/ui/notice";
import { useConsole, PreviewFrame } from "@/features/console/contract";
import { Choice, Choices } from "@/components/ui/choices";
import split from "@/components/split.module.css";
import { validPartOf, type SiteValues } from "../lib/site-schema";

const PAGES = [
  { page: "/", label: "Home" },
  { page: "/about", label: "About" },
  { page: "/services", label: "Services" },
] as const;

export type PreviewedPage = (typeof PAGES)[number]["page"];

type SitePreviewProps = {
  form: UseFormReturn<SiteValues>;
  page: PreviewedPage;
  onChoosePage: (page: PreviewedPage) => void;
};

/** A page of the site with what is typed in the form. */
export function SitePreview({ form, page, onChoosePage }: SitePreviewProps) {
  const guru = useConsole();
  const values = useWatch({ control: form.control }) as SiteValues;
  return (
    <aside className={split.aside} aria-label="Preview">
      <Choices label="Page">
        {PAGES.map(({ page: each, label }) => (
          <Choice key={each} aria-pressed={page === each} onClick={() => onChoosePage(each)}>
            {label}
          </Choice>
        ))}
      </Choices>
      {guru.status !== "active" ? (
        <Notice>Publish your site to see a preview.</Notice>
      ) : (
        <PreviewFrame of={{ page, face: validPartOf(values) }} title="Preview of your site" />
      )}
    </aside>
  );
}
