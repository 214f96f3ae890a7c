import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, type FieldPath } from "react-hook-form";
import { ProfileLink } from "@/components/profile-link";
import { type Profile } from "@/lib/session/get-profile";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { toast } from "@/lib/toast-store";
import { Switch } from "@/components/ui/switch";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useUpdateProfile } from "../api/update-profile";
import { profileErrorText } from "../lib/use-profile-mutation";
import { changesOf, profileSchema, valuesOf, type ProfileValues } from "../lib/profile-schema";
import styles from "./profile.module.css";
import { SkillRows } from "./skill-rows";
import { TownField } from "./town-field";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";
import { ApiError } from "@porchlight/shared/client";

const SWITCHES: { name: keyof ProfileValues["privacy"]; label: string; hint: string }[] = [
  { name: "publicProfile", label: "Public profile", hint: "Anyone with the link can see it. Turn off to hide it." },
  { name: "showLocation", label: "Show my location", hint: "Only your city and state." },
  { name: "showSkills", label: "Show my skills", hint: "What you teach and want to learn." },
  { name: "showAvailability", label: "Show when I'm available", hint: "Your notes about when you're available." },
];

const DIRECT_FIELDS = [
  "firstName",
  "lastName",
  "displayName",
  "handle",
  "bio",
  "location",
  "languages",
  "availability",
] as const;

/** Return the form field for a field name of the API. */
function fieldOf(name: string): FieldPath<ProfileValues> | null {
  const match = DIRECT_FIELDS.find((field) => name === field || name.startsWith(`${field}.`));
  if (match) return match;
  const row = /^skills\.(offered|wanted)\.(\d+)/.exec(name);
  return row ? `${row[1] as "offered" | "wanted"}.${Number(row[2])}.name` : null;
}

/** The profile form, without the photo. The input is kept until it is saved. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const save = useUpdateProfile();
  const form = useForm<ProfileValues>({ resolver: zodResolver(profileSchema), defaultValues: valuesOf(profile) });
  const { errors, isDirty } = form.formState;

  async function submit(values: ProfileValues) {
    try {
      const saved = await save.mutateAsync(changesOf(values, profile));
      form.reset(valuesOf(saved));
      toast.success(AUTH_TEXTS.profileUpdated);
    } catch (reason) {
      toast.error(profileErrorText(reason));
      if (!(reason instanceof ApiError)) return;
      for (const [name, message] of Object.entries(reason.fields)) {
        const field = fieldOf(name);
        if (field) form.setError(field, { message }, { shouldFocus: true });
      }
    }
  }

  return (
    <form className={styles.form} noValidate onSubmit={(event) => void form.handleSubmit(submit)(event)}>
      <UnsavedGuard unsaved={isDirty && !save.isPending} />
      <Card as="section" aria-labelledby="profile-about" className={styles.section}>
        <h2 id="profile-about" className={styles.heading}>
          About you
        </h2>
        <div className={styles.pair}>
          <Field label="First name" optional error={errors.firstName?.message}>
            <Input autoComplete="given-name" {...form.register("firstName")} />
          </Field>
          <Field label="Last name" optional error={errors.lastName?.message}>
            <Input autoComplete="family-name" {...form.register("lastName")} />
          </Field>
        </div>
        <div className={styles.pair}>
          <Field label="Display name" hint="The name neighbors see." error={errors.displayName?.message}>
            <Input autoComplete="nickname" {...form.register("displayName")} />
          </Field>
          <Field label="Handle" hint={`Your profile link: ${window.location.host}/u/…`} error={errors.handle?.message}>
            <Input autoCapitalize="none" autoComplete="off" spellCheck={false} {...form.register("handle")} />
          </Field>
        </div>
        <Field label="Bio" optional error={errors.bio?.message}>
          <TextArea rows={5} {...form.register("bio")} />
        </Field>
        <div className={styles.pair}>
          <TownField form={form} />
          <Field label="Languages" optional hint="Separate with commas." error={errors.languages?.message}>
            <Input autoComplete="off" {...form.register("languages")} />
          </Field>
        </div>
        <Field label="Availability" optional hint="Such as “weekday evenings”." error={errors.availability?.message}>
          <TextArea rows={2} {...form.register("availability")} />
        </Field>
      </Card>

      <Card as="section" aria-labelledby="profile-skills" className={styles.section}>
        <h2 id="profile-skills" className={styles.heading}>
          Your skills
        </h2>
        <SkillRows form={form} name="offered" legend="Skills you offer" hint="What you could teach a neighbor." />
        <SkillRows
          form={form}
          name="wanted"
          legend="Skills you want"
          hint="What you'd like to learn from a neighbor."
        />
      </Card>

      <Card as="section" aria-labelledby="profile-privacy" className={styles.section}>
        <h2 id="profile-privacy" className={styles.heading}>
          What others can see
        </h2>
        <ul className={styles.switches}>
          {SWITCHES.map(({ name, label, hint }) => (
            <li key={name} className={styles.switch}>
              <Switch
                id={`privacy-${name}`}
                aria-describedby={`privacy-${name}-hint`}
                {...form.register(`privacy.${name}`)}
              />
              <div>
                <label htmlFor={`privacy-${name}`}>{label}</label>
                <p id={`privacy-${name}-hint`} className={styles.hint}>
                  {hint}
                </p>
              </div>
            </li>
          ))}
        </ul>
        {profile.privacy.publicProfile && (
          <p>
            <ProfileLink handle={profile.handle}>View your public profile</ProfileLink>
          </p>
        )}
      </Card>

      <div className={styles.save}>
        {save.isError && <Notice tone="danger">{save.error.message}</Notice>}
        <Button type="submit" loading={save.isPending}>
          Save profile
        </Button>
      </div>
    </form>
  );
}
