import { useId, useState } from "react";
import { readSavedLocation, saveLocation } from "@/lib/saved-location";
import { toast } from "@/lib/toast-store";
import { useProfile } from "@/lib/session/get-profile";
import { useFlag } from "@/lib/feature-flags";
import { PlaceHint } from "@/features/places/contract";
import { profileErrorText, useUpdateProfile } from "@/features/profiles/contract";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Input } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { isQuestionSkipped, skipQuestion } from "../lib/skipped-question";
import { FirstMatches } from "./first-matches";
import { NO_NAMES, SkillNamesField, withTyped, type SkillNames } from "./skill-names-field";
import styles from "./skills-question.module.css";
import { AUTH_TEXTS } from "@porchlight/shared/auth-errors";

/** As many as a Community Member can teach; more of them are added in "My skills". */
const MAX_OFFERED = 3;
const MAX_WANTED = 5;
const MAX_PLACE_LENGTH = 120;

/** Asks a user without skills what they want to learn and could teach, and shows at once who fits. */
export function SkillsQuestion() {
  const isOn = useFlag("skillListing");
  const profile = useProfile().data;
  const [step, setStep] = useState<"ask" | "found" | "gone">("ask");
  if (!isOn || !profile || step === "gone") return null;
  if (step === "found") return <FirstMatches onClose={() => setStep("gone")} />;
  const { skills, id, location } = profile;
  if (skills.offered.length + skills.wanted.length > 0 || isQuestionSkipped(id)) return null;
  return (
    <Question
      asksPlace={location === ""}
      onSaved={() => setStep("found")}
      onSkip={() => {
        skipQuestion(id);
        setStep("gone");
      }}
    />
  );
}

type QuestionProps = { asksPlace: boolean; onSaved: () => void; onSkip: () => void };

function Question({ asksPlace, onSaved, onSkip }: QuestionProps) {
  const id = useId();
  const [wanted, setWanted] = useState<SkillNames>(NO_NAMES);
  const [offered, setOffered] = useState<SkillNames>(NO_NAMES);
  const [place, setPlace] = useState(() => readSavedLocation() ?? "");
  const update = useUpdateProfile();
  const skills = { wanted: withTyped(wanted).slice(0, MAX_WANTED), offered: withTyped(offered).slice(0, MAX_OFFERED) };
  const isEmpty = skills.wanted.length + skills.offered.length === 0;

  function save() {
    if (isEmpty || update.isPending) return;
    const location = place.trim();
    const hasPlace = asksPlace && location !== "";
    update.mutate(
      { skills, ...(hasPlace && { location }) },
      {
        onSuccess: () => {
          if (hasPlace) saveLocation(location);
          toast.success(AUTH_TEXTS.profileUpdated);
          onSaved();
        },
      },
    );
  }

  return (
    <Card as="section" padding="lg" aria-labelledby={id} className={styles.question}>
      <header>
        <h2 id={id} className={styles.title}>
          What would you like to learn? What could you teach?
        </h2>
        <p className={styles.lead}>One answer is enough. We show you at once which neighbors fit.</p>
      </header>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <div className={styles.fields}>
          <SkillNamesField
            label="I'd like to learn"
            placeholder="Guitar, Spanish"
            max={MAX_WANTED}
            value={wanted}
            onChange={setWanted}
          />
          <SkillNamesField
            label="I could teach"
            placeholder="Chess, knitting"
            max={MAX_OFFERED}
            value={offered}
            onChange={setOffered}
          />
        </div>
        {asksPlace && (
          <div className={styles.place}>
            <Field label="Your town" optional hint="So that we find people near you. Neighbors see only the town.">
              <Input
                autoComplete="address-level2"
                maxLength={MAX_PLACE_LENGTH}
                placeholder="Denver, Colorado"
                value={place}
                onChange={(event) => setPlace(event.target.value)}
              />
            </Field>
            <PlaceHint text={place} onChoose={setPlace} isPublic />
          </div>
        )}
        {update.isError && <Notice tone="danger">{profileErrorText(update.error)}</Notice>}
        <div className={styles.buttons}>
          <Button type="submit" loading={update.isPending} disabled={isEmpty}>
            Show who fits
          </Button>
          <Button variant="ghost" disabled={update.isPending} onClick={onSkip}>
            Not now
          </Button>
        </div>
      </form>
    </Card>
  );
}
