import { zodResolver } from "@hookform/resolvers/zod";
import { ImagePlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Controller, useForm, useWatch, type FieldPath } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { paths } from "../../app/paths";
import { newKey } from "../../kit/new-key";
import { isPicture, MOST_PHOTOS, NOT_PICTURES, whyNot } from "../../kit/pictures";
import { readLocation } from "../../kit/remembered-location";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Input, Select, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { PictureFiles } from "../../ui/picture-files";
import { toast } from "../../ui/toast-store";
import { UnsavedGuard } from "../../ui/unsaved-guard";
import { UploadProgress } from "../../ui/upload-progress";
import styles from "./angels.module.css";
import { useAddPhoto, usePostNeed } from "./change-need";
import { centsOf, isoDay } from "./formats";
import type { AngelService } from "./get-angels";
import { HOURS, needSchema, type NeedValues } from "./need-schema";
import { PlaceField, placePayload } from "./place-field";
import { ProposalCard } from "./proposal-card";
import { ApiError } from "@porchlight/shared/client";

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

/** What is to be done, when and where; with the kind of help and a fair price proposed. Nothing typed is lost. */
export function NeedForm({ services, service, angel }: NeedFormProps) {
  const post = usePostNeed();
  const addPhoto = useAddPhoto();
  const navigate = useNavigate();
  const key = useRef(newKey());
  const file = useRef<HTMLInputElement>(null);
  const [photos, setPhotos] = useState<File[]>([]);
  const [refusal, setRefusal] = useState("");
  const [sending, setSending] = useState<{ name: string; part: number } | null>(null);
  const [posted, setPosted] = useState<string | null>(null);
  const form = useForm<NeedValues>({
    resolver: zodResolver(needSchema),
    defaultValues: {
      title: "",
      description: "",
      service,
      from: isoDay(0),
      until: isoDay(7),
      note: "",
      hours: "2",
      budget: "",
      place: { text: readLocation() ?? "", point: null },
    },
  });
  const { errors, isDirty, dirtyFields } = form.formState;
  const values = useWatch({ control: form.control }) as NeedValues;
  const busy = post.isPending || addPhoto.isPending;

  useEffect(() => {
    // Once it is posted, nothing holds the reader here any more.
    if (posted) void navigate(paths.need.replace(":need", posted), { replace: true });
  }, [posted, navigate]);

  function choose(chosen: File[]) {
    setRefusal(chosen.every(isPicture) ? "" : NOT_PICTURES);
    setPhotos((now) => [...now, ...chosen.filter(isPicture)].slice(0, MOST_PHOTOS));
  }

  async function submit(sent: NeedValues) {
    const need = {
      title: sent.title,
      description: sent.description,
      serviceId: sent.service,
      wantedFrom: sent.from,
      wantedUntil: sent.until,
      timeNote: sent.note.trim(),
      hours: Number(sent.hours),
      budgetCents: centsOf(sent.budget),
      place: placePayload(sent.place),
      angel,
    };
    try {
      const { need: made } = await post.mutateAsync({ key: key.current, need });
      for (const photo of photos) {
        const report = (part: number) => setSending({ name: photo.name, part });
        report(0);
        await addPhoto.mutateAsync({ id: made.id, photo, report }).catch((reason: unknown) => {
          toast.error(`${photo.name}: ${whyNot(reason)}`);
        });
      }
      toast.success(angel ? "Sent. We mail you when there is an offer." : "Posted. We mail you when there are offers.");
      setPosted(made.id);
    } catch (reason) {
      // A refused attempt was no attempt: the next press is a new one.
      if (reason instanceof ApiError && reason.status === 422) key.current = newKey();
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
      <UnsavedGuard unsaved={isDirty && !busy && posted === null} />
      <Card className={styles.form}>
        <Field label="What is to be done" error={errors.title?.message}>
          <Input placeholder="A fence that leans" maxLength={120} {...form.register("title")} />
        </Field>
        <Field label="The details" hint="What an angel wants to know before they make an offer." error={errors.description?.message}>
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
          <Field label="How long it takes" error={errors.hours?.message}>
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
            <PlaceField
              label="Where"
              hint="City and state. Nobody sees more than the town until you accept an offer and tell them."
              value={field.value}
              onChange={field.onChange}
              error={errors.place?.message ?? errors.place?.text?.message}
            />
          )}
        />
        <div className={styles.pair}>
          <Field label="From" error={errors.from?.message}>
            <Input type="date" min={isoDay(0)} max={isoDay(60)} {...form.register("from")} />
          </Field>
          <Field label="Until" error={errors.until?.message}>
            <Input type="date" min={isoDay(0)} max={isoDay(60)} {...form.register("until")} />
          </Field>
        </div>
        <Field label="Best times" optional error={errors.note?.message}>
          <Input placeholder="Weekday evenings" {...form.register("note")} />
        </Field>
        <ProposalCard
          values={values}
          services={services}
          chosenByHand={service !== "" || dirtyFields.service === true}
          onService={(id) => form.setValue("service", id, { shouldValidate: true })}
          onBudget={(cents) => form.setValue("budget", String(cents / 100), { shouldDirty: true, shouldValidate: true })}
        />
        <Field label="Budget in dollars" optional hint="For the whole job. Angels may offer more or less." error={errors.budget?.message}>
          <Input inputMode="decimal" autoComplete="off" {...form.register("budget")} />
        </Field>
        <div className={styles.fieldset}>
          <div>
            <Button variant="secondary" size="sm" disabled={photos.length >= MOST_PHOTOS} onClick={() => file.current?.click()}>
              <ImagePlus size={16} aria-hidden="true" />
              Add photos
            </Button>
            <PictureFiles ref={file} label="Photo files" onChosen={choose} />
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
                    onClick={() => setPhotos((now) => now.filter((_, at) => at !== index))}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
          )}
          {refusal && <Notice tone="danger">{refusal}</Notice>}
        </div>
        {sending && addPhoto.isPending && <UploadProgress name={sending.name} part={sending.part} />}
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
