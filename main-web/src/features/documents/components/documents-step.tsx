import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import { Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { LoadNotice } from "@/components/ui/load-notice";
import { useCategories } from "@/lib/get-categories";
import { useRequirements } from "../api/get-requirements";
import { DocumentForm, type DocumentFormStart } from "./document-form";
import { DocumentList } from "./document-list";
import styles from "./documents.module.css";
import type { RequiredDocument } from "../lib/types";

/** The documents step of the wizard (SPEC 2.14): required documents, the form, and uploaded ones. */
export function DocumentsStep() {
  const categories = useCategories();
  const needed = useRequirements();
  const [start, setStart] = useState<{ number: number; values: DocumentFormStart }>({ number: 0, values: {} });
  const form = useRef<HTMLDivElement>(null);

  function startForm(values: DocumentFormStart) {
    setStart(({ number }) => ({ number: number + 1, values }));
    // Wait until React has rendered the new form.
    requestAnimationFrame(() => {
      form.current?.scrollIntoView({ block: "start" });
      form.current?.querySelector("h2")?.focus({ preventScroll: true });
    });
  }

  return (
    <>
      <LoadNotice what="the documents you need" queries={[needed]} />
      {needed.data && <Missing needed={needed.data.needed} onBegin={startForm} />}
      <LoadNotice what="the categories" queries={[categories]} />
      <div ref={form} className={styles.anchor}>
        <DocumentForm key={start.number} categories={categories.data ?? []} start={start.values} />
      </div>
      <DocumentList
        onReplace={({ type, category, provider, number }) => startForm({ type, category, provider, number })}
      />
      <div className={styles.foot}>
        <Button asChild>
          <Link to={paths.onboardingPayout}>Continue to payout</Link>
        </Button>
        <Button asChild variant="ghost">
          <Link to={paths.onboardingRequirements}>Back to requirements</Link>
        </Button>
      </div>
    </>
  );
}

function Missing({
  needed,
  onBegin,
}: {
  needed: readonly RequiredDocument[];
  onBegin: (start: DocumentFormStart) => void;
}) {
  const missing = needed.flatMap(({ slug, name, documents }) =>
    documents
      .filter(({ state }) => state === "missing" || state === "void")
      .map(({ type, title }) => ({ type, title, slug, name })),
  );
  if (missing.length === 0) return null;
  return (
    <section className={styles.stack} aria-labelledby="missing-heading">
      <h2 id="missing-heading" className={styles.heading}>
        Still needed
      </h2>
      <ul className={styles.missing}>
        {missing.map(({ type, title, slug, name }) => (
          <li key={slug + type}>
            <Button variant="secondary" size="sm" onClick={() => onBegin({ type, category: slug })}>
              <Plus size={16} aria-hidden="true" />
              {`${title} for ${name}`}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
