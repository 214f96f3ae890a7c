import { zodResolver } from "@hookform/resolvers/zod";
import { ImagePlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Controller, useForm, useWatch, type FieldPath } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { isImageFile, MAX_PHOTOS, INVALID_IMAGES_MESSAGE, uploadErrorText } from "@/lib/image-files";
import { readSavedLocation } from "@/lib/saved-location";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ImageInput } from "@/components/ui/image-input";
import { toast } from "@/lib/toast-store";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { UploadProgress } from "@/components/ui/upload-progress";
import styles from "../../components/angels.module.css";
import { useUploadNeedPhoto } from "../api/upload-need-photo";
import { useCreateNeed } from "../api/create-need";
import type { AngelService } from "../../api/get-angels";
import { HOURS, needSchema, type NeedValues } from "../lib/need-schema";
import { LocationField, locationPayload } from "../../components/location-field";
import { NeedPreviewCard } from "./need-preview-card";
import { ApiError } from "@porchlight/shared/client";
import { isoDateFromToday } from "@porchlight/shared/format/dates";
import { parseMoney } from "@porchlight/shared/format/money";

const FIELDS: Record<string, FieldPath<NeedValues>> = {
  title: "title",
  description: "description",
  serviceId: "service",
  wantedFrom: "from",
  wantedUntil: "until",
  timeNote: "note",
  hours: "hours",
  budgetCents: "budget",
  place: "place",
};

type NeedFormProps = { services: readonly AngelService[]; service: string; angel: string | null };

/** The form of a need: what, when and where, with a suggested service and fair price. The input is kept on errors. */
export function NeedForm({ services, service, angel }: NeedFormProps) {
  const post = useCreateNeed();
  const addPhoto = useUploadNeedPhoto();
  const navigate = useNavigate();
  const idempotencyKey = useRef(createIdempotencyKey());
  const file = useRef<HTMLInputElement>(null);
  const [photos, setPhotos] = useState<File[]>([]);
  const [photoError, setPhotoError] = useState("");
  const [uploading, setUploading] = useState<{ name: string; part: number } | null>(null);
  const [createdId, setCreatedId] = useState<string | null>(null);
  const form = useForm<NeedValues>({
    resolver: zodResolver(needSchema),
    defaultValues: {
      title: "",
      description: "",
      service,
      from: isoDateFromToday(0),
      until: isoDateFromToday(7),
      note: "",
      hours: "2",
      budget: "",
      place: { text: readSavedLocation() ?? "", point: null },
    },
  });
  const { errors, isDirty, dirtyFields } = form.formState;
  const values = useWatch({ control: form.control }) as NeedValues;
  const busy = post.isPending || addPhoto.isPending;

  useEffect(() => {
    // Navigate after the unsaved-changes guard is off.
    if (createdId) void navigate(paths.need.replace(":need", createdId), { replace: true });
  }, [createdId, navigate]);

  function addPhotos(files: File[]) {
    setPhotoError(files.every(isImageFile) ? "" : INVALID_IMAGES_MESSAGE);
    setPhotos((current) => [...current, ...files.filter(isImageFile)].slice(0, MAX_PHOTOS));
  }

  async function submit(input: NeedValues) {
    const need = {
      title: input.title,
      description: input.description,
      serviceId: input.service,
      wantedFrom: input.from,
      wantedUntil: input.until,
      timeNote: input.note.trim(),
      hours: Number(input.hours),
      budgetCents: parseMoney(input.budget),
      place: locationPayload(input.place),
      angel,
    };
    try {
      const { need: created } = await post.mutateAsync({ idempotencyKey: idempotencyKey.current, need });
      for (const photo of photos) {
        const onProgress = (part: number) => setUploading({ name: photo.name, part });
        onProgress(0);
        await addPhoto.mutateAsync({ id: created.id, photo, onProgress }).catch((reason: unknown) => {
          toast.error(`${photo.name}: ${uploadErrorText(reason)}`);
        });
      }
      toast.success(
        angel ? "Sent. We'll email you when you get an offer." : "Posted. We'll email you when offers come in.",
      );
      setCreatedId(created.id);
    } catch (reason) {
      // A rejected request created nothing: the next attempt needs a new key.
      if (reason instanceof ApiError && reason.status === 422) idempotencyKey.current = createIdempotencyKey();
      if (!(reason instanceof ApiError)) return;
      for (const [name, message] of Object.entries(reason.fields)) {
        const field = FIELDS[name.split(".")[0] ?? ""];
        if (field) form.setError(field, { message }, { shouldFocus: true });
        else if (name === "angel") form.setError("service", { message });
      }
    }
  }

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
      <UnsavedGuard unsaved={isDirty && !busy && createdId === null} />
      <Card className={styles.form}>
        <Field label="What do you need?" error={errors.title?.message}>
          <Input placeholder="Fix a leaning fence" maxLength={120} {...form.register("title")} />
        </Field>
        <Field
          label="Details"
          hint="Anything an angel should know before making an offer."
          error={errors.description?.message}
        >
          <TextArea rows={5} {...form.register("description")} />
        </Field>
        <div className={styles.pair}>
          <Field label="Kind of help" error={errors.service?.message}>
            <Select {...form.register("service")}>
              <option value="">Choose one</option>
              {services.map(({ id, title }) => (
                <option key={id} value={id}>
                  {title}
                </option>
              ))}
            </Select>
          </Field>
          <Field label="How long will it take?" error={errors.hours?.message}>
            <Select {...form.register("hours")}>
              {HOURS.map((hours) => (
                <option key={hours} value={hours}>
                  {hours === "1" ? "About 1 hour" : `About ${hours} hours`}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Controller
          control={form.control}
          name="place"
          render={({ field }) => (
            <LocationField
              label="Where"
              hint="City and state. Only your city is shown until you accept an offer."
              value={field.value}
              onChange={field.onChange}
              error={errors.place?.message ?? errors.place?.text?.message}
            />
          )}
        />
        <div className={styles.pair}>
          <Field label="From" error={errors.from?.message}>
            <Input type="date" min={isoDateFromToday(0)} max={isoDateFromToday(60)} {...form.register("from")} />
          </Field>
          <Field label="To" error={errors.until?.message}>
            <Input type="date" min={isoDateFromToday(0)} max={isoDateFromToday(60)} {...form.register("until")} />
          </Field>
        </div>
        <Field label="Best times" optional error={errors.note?.message}>
          <Input placeholder="Weekday evenings" {...form.register("note")} />
        </Field>
        <NeedPreviewCard
          values={values}
          services={services}
          isServiceChosen={service !== "" || dirtyFields.service === true}
          onService={(id) => form.setValue("service", id, { shouldValidate: true })}
          onBudget={(cents) =>
            form.setValue("budget", String(cents / 100), { shouldDirty: true, shouldValidate: true })
          }
        />
        <Field
          label="Budget ($)"
          optional
          hint="For the whole job. Angels may offer more or less."
          error={errors.budget?.message}
        >
          <Input inputMode="decimal" autoComplete="off" {...form.register("budget")} />
        </Field>
        <div className={styles.fieldset}>
          <div>
            <Button
              variant="secondary"
              size="sm"
              disabled={photos.length >= MAX_PHOTOS}
              onClick={() => file.current?.click()}
            >
              <ImagePlus size={16} aria-hidden="true" />
              Add photos
            </Button>
            <ImageInput ref={file} label="Photo files" onSelect={addPhotos} />
          </div>
          {photos.length > 0 && (
            <ul className={styles.list} aria-label="Photos">
              {photos.map((photo, index) => (
                <li key={`${photo.name} ${index}`} className={styles.person}>
                  <span>{photo.name}</span>
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={`Remove ${photo.name}`}
                    onClick={() => setPhotos((current) => current.filter((_, at) => at !== index))}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )}
          {photoError && <Notice tone="danger">{photoError}</Notice>}
        </div>
        {uploading && addPhoto.isPending && <UploadProgress name={uploading.name} part={uploading.part} />}
        {post.isError && <Notice tone="danger">{post.error.message}</Notice>}
        <div>
          <Button type="submit" loading={busy}>
            {angel ? "Send" : "Post this need"}
          </Button>
        </div>
      </Card>
    </form>
  );
}
