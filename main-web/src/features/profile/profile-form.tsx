import { zodResolver } from "@hookform/resolvers/zod";
import { useForm, type FieldPath } from "react-hook-form";
import { Link } from "react-router-dom";
import { profileErrorText, usePutProfile, type Profile } from "../../kit/session/profile";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Input, TextArea } from "../../ui/field";
import { Notice } from "../../ui/notice";
import { toast } from "../../ui/toast-store";
import { UnsavedGuard } from "../../ui/unsaved-guard";
import { changesOf, profileSchema, valuesOf, type ProfileValues } from "./profile-schema";
import styles from "./profile.module.css";
import { SkillRows } from "./skill-rows";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";
import { ApiError } from "@porchlight/shared/client";

const SWITCHES: { name: keyof ProfileValues["privacy"]; label: string; hint: string }[] = [
  { name: "publicProfile", label: "Public profile", hint: "Anyone with the address can see it. Off, nobody can." },
  { name: "showLocation", label: "Show my location", hint: "City and state, never more." },
  { name: "showSkills", label: "Show my skills", hint: "What you teach and what you would like to learn." },
  { name: "showAvailability", label: "Show when I have time", hint: "Your availability notes." },
];

const PLAIN = ["firstName", "lastName", "displayName", "handle", "bio", "location", "languages", "availability"] as const;

/** The server's names of refused fields as this form's. */
function fieldOf(name: string): FieldPath<ProfileValues> | null {
  const plain = PLAIN.find((own) => name === own || name.startsWith(`${own}.`));
  if (plain) return plain;
  const row = /^skills\.(offered|wanted)\.(\d+)/.exec(name);
  return row ? `${row[1] as "offered" | "wanted"}.${Number(row[2])}.name` : null;
}

/** Everything of a profile but the photo. What was typed stays until the server has it. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const save = usePutProfile();
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
          <Field label="Display name" hint="What neighbors see." error={errors.displayName?.message}>
            <Input autoComplete="nickname" {...form.register("displayName")} />
          </Field>
          <Field label="Handle" hint="The last part of your profile's address." error={errors.handle?.message}>
            <Input autoCapitalize="none" autoComplete="off" spellCheck={false} {...form.register("handle")} />
          </Field>
        </div>
        <Field label="Bio" optional error={errors.bio?.message}>
          <TextArea rows={5} {...form.register("bio")} />
        </Field>
        <div className={styles.pair}>
          <Field label="Location" optional hint="City and state, such as Denver, Colorado." error={errors.location?.message}>
            <Input autoComplete="off" {...form.register("location")} />
          </Field>
          <Field label="Languages" optional hint="With commas between them." error={errors.languages?.message}>
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
        <SkillRows form={form} name="offered" legend="Skills you offer" hint="What you could show a neighbor." />
        <SkillRows form={form} name="wanted" legend="Skills you want" hint="What you would like to learn from one." />
      </Card>

      <Card as="section" aria-labelledby="profile-privacy" className={styles.section}>
        <h2 id="profile-privacy" className={styles.heading}>
          What others see
        </h2>
        <ul className={styles.switches}>
          {SWITCHES.map(({ name, label, hint }) => (
            <li key={name} className={styles.switch}>
              <input
                id={`privacy-${name}`}
                type="checkbox"
                role="switch"
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
            <Link to={`/u/${profile.handle}`}>See your profile as others do</Link>
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
