import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { ButtonRow } from "@/components/ui/stack";
import split from "@/components/split.module.css";
import { useConsole } from "@/features/console/contract";
import { errorMessage } from "@/lib/errors";
import { safeHref } from "@/lib/safe-href";
import type { GalleryEditor } from "../lib/use-gallery-editor";
import { pluralize } from "@porchlight/shared/format/numbers";
import { fieldErrors } from "@porchlight/shared/client";

/** The end of the form: what is wrong, what to do when the pictures were changed elsewhere, and the buttons. */
export function GalleryFooter({ editor }: { editor: GalleryEditor }) {
  const guru = useConsole();
  const { draft, problems, uploads } = editor;
  const [isSaved, setIsSaved] = useState(false);

  async function save(submit: () => Promise<boolean>) {
    setIsSaved(false);
    if (editor.check()) setIsSaved(await submit());
    else focusFirstProblem();
  }

  const undescribed = editor.pictures.filter(({ key, alt }) => problems.has(key) && alt.trim() === "").length;
  return (
    <div className={split.save}>
      {draft.error && <Notice tone="danger">{fieldErrors(draft.error).pictures ?? errorMessage(draft.error)}</Notice>}
      {undescribed > 0 && (
        <Notice tone="warning">{`${pluralize(undescribed, "picture")} still without a description.`}</Notice>
      )}
      {draft.conflict && (
        <Notice tone="warning">
          <p>Your pictures were changed in another tab or on another device. Your changes aren't lost.</p>
          <ButtonRow>
            <Button size="sm" variant="secondary" loading={draft.saving} onClick={() => void save(draft.overwrite)}>
              Save my version
            </Button>
            <Button size="sm" variant="ghost" onClick={draft.discard}>
              Use the other version
            </Button>
          </ButtonRow>
        </Notice>
      )}
      {isSaved && !draft.isDirty && (
        <Notice tone="success">
          Saved.{" "}
          {guru.status === "active" && (
            <a href={safeHref(guru.address)} target="_blank" rel="noopener">
              See your site
              <span className="visually-hidden">(opens in a new tab)</span>
            </a>
          )}
        </Notice>
      )}
      <ButtonRow>
        <Button
          loading={draft.saving}
          disabled={draft.conflict || !draft.isDirty}
          onClick={() => void save(draft.submit)}
        >
          Save pictures
        </Button>
        {draft.isDirty && !draft.conflict && (
          <Button variant="ghost" onClick={draft.discard}>
            Discard
          </Button>
        )}
        {uploads.isUploading && <p>Uploading…</p>}
      </ButtonRow>
    </div>
  );
}

/** Once the messages are there, also those in sections that were folded. */
function focusFirstProblem() {
  requestAnimationFrame(() => document.querySelector<HTMLElement>("textarea[aria-invalid=true]")?.focus());
}
