import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect, useRef, useState } from "react";
import { FormProvider, useForm, type FieldPath } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { uploadErrorText } from "@/lib/image-files";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { UploadProgress } from "@/components/ui/upload-progress";
import styles from "../../components/angels.module.css";
import { useUploadNeedPhoto } from "../api/upload-need-photo";
import { useCreateNeed } from "../api/create-need";
import type { AngelService } from "../../api/get-angels";
import { FIRST_FIELDS, MAX_TITLE, needSchema, type NeedValues } from "../lib/need-schema";
import { locationPayload } from "../../components/location-field";
import { NeedFirstFields } from "./need-first-fields";
import { NeedMoreFields } from "./need-more-fields";
import { PhotoPicker } from "./photo-picker";
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

type NeedFormProps = {
  services: readonly AngelService[];
  /** The service, title and place to start with; "" for none. */
  service: string;
  title: string;
  place: string;
  angel: string | null;
};

/**
 * The form of a need. It asks what, where and when first; then for the details, with a suggested service and fair
 * price. The input is kept on errors.
 */
export function NeedForm({ services, service, title, place, angel }: NeedFormProps) {
  const post = useCreateNeed();
  const addPhoto = useUploadNeedPhoto();
  const navigate = useNavigate();
  const idempotencyKey = useRef(createIdempotencyKey());
  const [showsMore, setShowsMore] = useState(false);
  const [photos, setPhotos] = useState<File[]>([]);
  const [uploading, setUploading] = useState<{ name: string; part: number } | null>(null);
  const [createdId, setCreatedId] = useState<string | null>(null);
  const form = useForm<NeedValues>({
    resolver: zodResolver(needSchema),
    defaultValues: {
      title: title.slice(0, MAX_TITLE),
      description: "",
      service,
      from: isoDateFromToday(0),
      until: isoDateFromToday(7),
      note: "",
      hours: "2",
      budget: "",
      place: { text: place, point: null },
    },
  });
  const { isDirty } = form.formState;
  const busy = post.isPending || addPhoto.isPending;

  useEffect(() => {
    // Navigate after the unsaved-changes guard is off.
    if (createdId) void navigate(paths.need.replace(":need", createdId), { replace: true });
  }, [createdId, navigate]);

  const { setFocus } = form;
  useEffect(() => {
    // In an effect: an animation frame may come before the field does.
    if (showsMore) setFocus("description");
  }, [showsMore, setFocus]);

  async function showMore() {
    if (!(await form.trigger(FIRST_FIELDS, { shouldFocus: true }))) return;
    setShowsMore(true);
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

  function onSubmit() {
    void (showsMore ? form.handleSubmit(submit)() : showMore());
  }

  return (
    <FormProvider {...form}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <UnsavedGuard unsaved={isDirty && !busy && createdId === null} />
        <NeedFirstFields />
        {showsMore && (
          <>
            <NeedMoreFields services={services} service={service} />
            <PhotoPicker photos={photos} onChange={setPhotos} />
          </>
        )}
        {uploading && addPhoto.isPending && <UploadProgress name={uploading.name} part={uploading.part} />}
        {post.isError && <Notice tone="danger">{post.error.message}</Notice>}
        <div>
          <Button type="submit" loading={busy}>
            {!showsMore ? "Continue" : angel ? "Send" : "Post this need"}
          </Button>
        </div>
      </form>
    </FormProvider>
  );
}
