import { zodResolver } from "@hookform/resolvers/zod";
import { useEffect } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { useAutosave } from "@/lib/use-autosave";
import { useProfile, type Profile } from "@/lib/session/get-profile";
import { PlaceHint } from "@/features/places/contract";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { ErrorState } from "@/components/ui/state";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useWizardProfile } from "../api/get-wizard-profile";
import { saveErrorText, type WizardProfile } from "../lib/types";
import { useSaveProfile } from "../api/save-profile";
import { draftOf, FIELDS, LIMITS, profileSchema, valuesOf, type ProfileValues } from "../lib/profile-schema";
import { useSaveDraft } from "../api/save-draft";
import { PhotoField } from "../components/photo-field";
import { SaveStatus } from "../components/save-status";
import { DRAFT_AUTOSAVE } from "../lib/draft-autosave";
import { Wizard } from "../components/wizard";
import styles from "../components/wizard.module.css";
import { ApiError } from "@porchlight/shared/client";

/** Step 1: the guru's profile (SPEC 2.14, 5). */
export function ProfilePage() {
  const saved = useWizardProfile();
  const account = useProfile();
  // The account's data prefills the form; without it, the form starts empty.
  const isReady = saved.isSuccess && saved.isFetchedAfterMount && !account.isLoading;
  return (
    <Wizard
      at={paths.onboardingProfile}
      title="Complete Your Profile"
      lead="This is the first thing neighbors see on your site."
      description="Step 1 of becoming a guru: your name, your city and a few words about you."
    >
      {saved.isError && (
        <ErrorState
          title="We couldn't load your profile"
          message="Could not load your profile. Please try refreshing the page."
          onRetry={() => void saved.refetch()}
          retrying={saved.isFetching}
        />
      )}
      {!saved.isError && !isReady && <Loading />}
      {isReady && <ProfileForm saved={saved.data} account={account.data} />}
    </Wizard>
  );
}

function startOf(saved: WizardProfile, account: Profile | undefined): ProfileValues {
  const savedValues = valuesOf(saved);
  if (!account || FIELDS.some((name) => savedValues[name] !== "")) return savedValues;
  return {
    ...savedValues,
    displayName: account.displayName,
    photoUrl: account.photoURL.startsWith("https://") ? account.photoURL : "",
    city: account.location.length <= LIMITS.city ? account.location : "",
    bio: account.bio,
  };
}

function ProfileForm({ saved, account }: { saved: WizardProfile; account: Profile | undefined }) {
  const finish = useSaveProfile();
  const navigate = useNavigate();
  const draft = useAutosave(useSaveDraft(), DRAFT_AUTOSAVE);
  const form = useForm<ProfileValues>({ resolver: zodResolver(profileSchema), defaultValues: startOf(saved, account) });
  const { errors } = form.formState;
  const [name, city, zip] = useWatch({ control: form.control, name: ["displayName", "city", "zip"] });

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
    await draft.cancel();
    try {
      await finish.mutateAsync(values);
      void navigate(paths.onboardingCategories);
    } catch (reason) {
      if (!(reason instanceof ApiError)) return;
      for (const field of FIELDS) {
        const message = reason.fields[field];
        if (message) form.setError(field, { message }, { shouldFocus: true });
      }
    }
  }

  return (
    <Card padding="lg">
      <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
        <Field label="Display Name" hint="Your name or your business name." error={errors.displayName?.message}>
          <Input autoComplete="name" {...form.register("displayName")} />
        </Field>
        <div className={styles.pair}>
          <div>
            <Field label="City" error={errors.city?.message}>
              <Input autoComplete="address-level2" {...form.register("city")} />
            </Field>
            <PlaceHint
              text={city}
              zipCode={zip}
              isPublic
              hasError={Boolean(errors.city)}
              onChoose={(label) => {
                form.setValue("city", label, { shouldDirty: true });
                form.clearErrors("city");
                schedule(draftOf(form.getValues()));
              }}
            />
          </div>
          <Field label="ZIP Code" hint="Not shown publicly." error={errors.zip?.message}>
            <Input autoComplete="postal-code" inputMode="text" {...form.register("zip")} />
          </Field>
        </div>
        <Field
          label="Bio"
          hint="What you love to teach and how. The first sentence appears at the top of your site."
          error={errors.bio?.message}
        >
          <TextArea rows={4} {...form.register("bio")} />
        </Field>
        <PhotoField control={form.control} name={name} accountPhoto={account?.photoURL ?? ""} />
        <p className={styles.note}>If your neighbor profile is empty, we'll fill it in from here.</p>
        {finish.isError && <Notice tone="danger">{saveErrorText(finish.error)}</Notice>}
        <div className={styles.foot}>
          <Button type="submit" loading={finish.isPending}>
            Save and continue
          </Button>
          <SaveStatus state={draft.state} />
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
