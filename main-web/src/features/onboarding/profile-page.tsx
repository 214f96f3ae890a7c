import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { paths } from "../../app/paths";
import { useProfile, type Profile } from "../../kit/session/profile";
import { Avatar } from "../../ui/avatar";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Input, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { Skeleton } from "../../ui/skeleton";
import { ErrorState } from "../../ui/state";
import { UnsavedGuard } from "../../ui/unsaved-guard";
import { useWizardProfile } from "./get-wizard-profile";
import { saveErrorText, type WizardProfile } from "./own";
import { usePostProfile } from "./post-profile";
import { draftOf, FIELDS, profileSchema, valuesOf, type ProfileValues } from "./profile-schema";
import { usePutDraft } from "./put-draft";
import { SaveNote } from "./save-note";
import { useAutosave } from "./use-autosave";
import { Wizard } from "./wizard";
import styles from "./wizard.module.css";
import { ApiError } from "@porchlight/shared/client";

/** The first step: who one is as a guru (SPEC 2.14, 5). */
export function ProfilePage() {
  const saved = useWizardProfile();
  const account = useProfile();
  // What the account knows already is a fair start; without it, one starts from nothing.
  const ready = saved.isSuccess && saved.isFetchedAfterMount && !account.isLoading;
  return (
    <Wizard
      at={paths.onboardingProfile}
      title="Complete Your Profile"
      lead="What neighbors see of you first, on your own site."
      description="The first step to becoming a guru: your name, your city and a few words about you."
    >
      {saved.isError && (
        <ErrorState
          title="Your profile is out of reach"
          message="Could not load your profile. Please try refreshing the page."
          onRetry={() => void saved.refetch()}
          retrying={saved.isFetching}
        />
      )}
      {!saved.isError && !ready && <Loading />}
      {ready && <ProfileForm saved={saved.data} account={account.data} />}
    </Wizard>
  );
}

function startOf(saved: WizardProfile, account: Profile | undefined): ProfileValues {
  const kept = valuesOf(saved);
  if (!account || FIELDS.some((name) => kept[name] !== "")) return kept;
  return {
    ...kept,
    displayName: account.displayName,
    photoUrl: account.photoURL.startsWith("https://") ? account.photoURL : "",
    city: account.location.split(",")[0]?.trim() ?? "",
    bio: account.bio,
  };
}

function ProfileForm({ saved, account }: { saved: WizardProfile; account: Profile | undefined }) {
  const finish = usePostProfile();
  const navigate = useNavigate();
  const draft = useAutosave(usePutDraft());
  const form = useForm<ProfileValues>({ resolver: zodResolver(profileSchema), defaultValues: startOf(saved, account) });
  const { errors } = form.formState;
  const [photo, name] = useWatch({ control: form.control, name: ["photoUrl", "displayName"] });

  const { schedule } = draft;
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ values, type }) => {
          if (type === "change") schedule(draftOf(values));
        },
      }),
    [form, schedule],
  );

  async function submit(values: ProfileValues) {
    await draft.settle();
    try {
      await finish.mutateAsync(values);
      void navigate(paths.onboardingCategories);
    } catch (reason) {
      if (!(reason instanceof ApiError)) return;
      for (const field of FIELDS) {
        const words = reason.fields[field];
        if (words) form.setError(field, { message: words }, { shouldFocus: true });
      }
    }
  }

  return (
    <Card padding="lg">
      <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
        <Field label="Display Name" hint="Your name, or what you call your business." error={errors.displayName?.message}>
          <Input autoComplete="name" {...form.register("displayName")} />
        </Field>
        <div className={styles.pair}>
          <Field label="City" error={errors.city?.message}>
            <Input autoComplete="address-level2" {...form.register("city")} />
          </Field>
          <Field label="ZIP Code" hint="Only we see it." error={errors.zip?.message}>
            <Input autoComplete="postal-code" inputMode="text" {...form.register("zip")} />
          </Field>
        </div>
        <Field label="Bio" hint="What you love to teach, and how. Its first sentence greets your visitors." error={errors.bio?.message}>
          <TextArea rows={4} {...form.register("bio")} />
        </Field>
        <div className={styles.photo}>
          <Avatar name={name} src={errors.photoUrl || !photo.startsWith("https://") ? "" : photo} size="lg" />
          <Field label="Photo URL" optional hint="The address of a picture of you." error={errors.photoUrl?.message}>
            <Input type="url" inputMode="url" autoComplete="photo" placeholder="https://" {...form.register("photoUrl")} />
          </Field>
        </div>
        {finish.isError && <Notice tone="danger">{saveErrorText(finish.error)}</Notice>}
        <div className={styles.foot}>
          <Button type="submit" loading={finish.isPending}>
            Save and continue
          </Button>
          <SaveNote state={draft.state} />
        </div>
      </form>
      <UnsavedGuard unsaved={draft.state === "failed"} />
    </Card>
  );
}

function Loading() {
  return (
    <Card padding="lg" className={styles.stack} aria-busy="true">
      {["100%", "100%", "100%", "60%"].map((width, index) => (
        <Skeleton key={index} width={width} height={index === 2 ? "7rem" : "2.75rem"} radius="md" />
      ))}
    </Card>
  );
}
