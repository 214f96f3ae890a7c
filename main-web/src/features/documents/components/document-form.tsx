import { zodResolver } from "@hookform/resolvers/zod";
import { useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { UploadProgress } from "@/components/ui/upload-progress";
import { documentSchema, EMPTY, MISSING_FILE, type DocumentForm as Values } from "../lib/document-schema";
import styles from "./documents.module.css";
import { DocumentDetailsFields } from "./document-details-fields";
import { FileField } from "./file-field";
import type { Category } from "../lib/types";
import { useCreateDocument } from "../api/create-document";
import { ApiError } from "@porchlight/shared/client";

export type DocumentFormStart = Partial<Values>;

type DocumentFormProps = {
  categories: readonly Category[];
  /** Initial values, when a particular document is required. */
  start: DocumentFormStart;
};

/** The form of a document, with a link to it or the file itself (SPEC 2.14 and 3). */
export function DocumentForm({ categories, start }: DocumentFormProps) {
  const form = useForm<Values>({
    resolver: zodResolver(documentSchema),
    defaultValues: { ...EMPTY, ...start },
  });
  const { register, handleSubmit, reset, setError, formState, control } = form;
  const [file, setFile] = useState<File | null>(null);
  const [fileError, setFileError] = useState("");
  const [progress, setProgress] = useState<number | null>(null);
  const send = useCreateDocument();
  const top = useRef<HTMLHeadingElement>(null);
  const [link, type] = useWatch({ control, name: ["file_url", "type"] });
  const { errors } = formState;

  function isFileMissing() {
    const isMissing = !file && !link;
    if (isMissing) setFileError(MISSING_FILE);
    return isMissing;
  }

  function deliver(values: Values) {
    if (isFileMissing()) return;
    setFileError("");
    setProgress(null);
    send.mutate(
      { body: { ...values, file_id: "" }, file, onProgress: setProgress },
      {
        onSuccess: () => {
          reset(EMPTY);
          setFile(null);
          top.current?.focus();
        },
        onError: (reason) => {
          if (!(reason instanceof ApiError)) return;
          for (const [name, message] of Object.entries(reason.fields)) {
            if (name === "file" || name === "file_id") setFileError(message);
            else if (name in EMPTY) setError(name as keyof Values, { message });
          }
        },
      },
    );
  }

  return (
    <Card as="section" padding="lg" aria-labelledby="upload-heading">
      <form className={styles.form} noValidate onSubmit={(event) => void handleSubmit(deliver, isFileMissing)(event)}>
        <div>
          <h2 id="upload-heading" ref={top} tabIndex={-1} className={styles.heading}>
            {start.type ? "Upload a document" : "Add a document"}
          </h2>
          <div aria-live="polite" className={styles.told}>
            {send.isSuccess && !formState.isDirty && !file && (
              <Notice tone="success">Uploaded for review. You can add more or continue.</Notice>
            )}
          </div>
        </div>
        <DocumentDetailsFields form={form} type={type} categories={categories} />
        {!link && <FileField file={file} onChange={setFile} error={fileError || undefined} onError={setFileError} />}
        {!file && (
          <Field
            label={link ? "Link to the document" : "Or a link to the document"}
            hint="If it's already online. The link must start with https://"
            error={errors.file_url?.message}
          >
            <Input type="url" inputMode="url" placeholder="https://" {...register("file_url")} autoComplete="off" />
          </Field>
        )}
        {send.isError && <Notice tone="danger">{`Error uploading document: ${send.error.message}`}</Notice>}
        {send.isPending && file && progress !== null && <UploadProgress name={file.name} part={progress} />}
        <div className={styles.foot}>
          <Button type="submit" loading={send.isPending}>
            {send.isPending && file ? "Uploading…" : "Upload document"}
          </Button>
        </div>
      </form>
      <UnsavedGuard unsaved={(formState.isDirty || file !== null) && !send.isPending} />
    </Card>
  );
}
