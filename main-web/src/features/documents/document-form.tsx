import { zodResolver } from "@hookform/resolvers/zod";
import { useRef, useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { DOCUMENT_TYPES } from "../../kit/document-words";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Input, Select } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { UnsavedGuard } from "../../ui/unsaved-guard";
import { UploadProgress } from "../../ui/upload-progress";
import { documentSchema, EMPTY, type DocumentForm as Values } from "./document-schema";
import styles from "./documents.module.css";
import { FileField } from "./file-field";
import type { Category } from "./own";
import { usePostDocument } from "./post-document";
import { ApiError } from "@porchlight/shared/client";

export type Start = Partial<Values>;

type DocumentFormProps = {
  categories: readonly Category[];
  /** What to begin with, when a certain document is wanted. */
  start: Start;
};

/** SPEC 2.14 and 3: what a document says, with a link to it or the file itself. */
export function DocumentForm({ categories, start }: DocumentFormProps) {
  const { register, handleSubmit, reset, setError, formState, control } = useForm({
    resolver: zodResolver(documentSchema),
    defaultValues: { ...EMPTY, ...start },
  });
  const [file, setFile] = useState<File | null>(null);
  const [fileError, setFileError] = useState("");
  const [progress, setProgress] = useState<number | null>(null);
  const send = usePostDocument();
  const top = useRef<HTMLHeadingElement>(null);
  const link = useWatch({ control, name: "file_url" });
  const { errors } = formState;

  function deliver(values: Values) {
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
      <form className={styles.form} noValidate onSubmit={(event) => void handleSubmit(deliver)(event)}>
        <div>
          <h2 id="upload-heading" ref={top} tabIndex={-1} className={styles.heading}>
            {start.type ? "Send a document" : "Add a document"}
          </h2>
          <div aria-live="polite" className={styles.told}>
            {send.isSuccess && !formState.isDirty && !file && (
              <Notice tone="success">Uploaded for review. You can add more or continue.</Notice>
            )}
          </div>
        </div>
        <div className={styles.pair}>
          <Field label="Type" error={errors.type?.message}>
            <Select {...register("type")}>
              <option value="">Choose…</option>
              {Object.entries(DOCUMENT_TYPES).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="Category" error={errors.category?.message} optional>
            <Select {...register("category")}>
              <option value="">For everything I offer</option>
              {categories
                .filter(({ comingSoon }) => !comingSoon)
                .map(({ slug, name }) => (
                  <option key={slug} value={slug}>
                    {name}
                  </option>
                ))}
            </Select>
          </Field>
          <Field label="Provider" hint="Who issued it." error={errors.provider?.message} optional>
            <Input {...register("provider")} maxLength={160} autoComplete="off" />
          </Field>
          <Field label="Number" hint="Of the license or policy." error={errors.number?.message} optional>
            <Input {...register("number")} maxLength={80} autoComplete="off" />
          </Field>
          <Field label="Issued on" error={errors.issued_on?.message} optional>
            <Input type="date" {...register("issued_on")} />
          </Field>
          <Field label="Expires on" hint="We remind you before that day." error={errors.expires_on?.message} optional>
            <Input type="date" {...register("expires_on")} />
          </Field>
        </div>
        {!link && <FileField file={file} onChange={setFile} error={fileError || undefined} onError={setFileError} />}
        {!file && (
          <Field
            label={link ? "Link to the document" : "Or a link to the document"}
            hint="If it is on the web already. It must begin with https://"
            error={errors.file_url?.message}
            optional
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
