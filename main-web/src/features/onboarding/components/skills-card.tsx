import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { splitList } from "@/lib/split-list";
import { toast } from "@/lib/toast-store";
import { useStableWhileFocused } from "@/lib/use-stable-while-focused";
import { useConfirmSkills } from "../api/confirm-skills";
import { saveErrorText, type WizardSkills } from "../lib/types";
import { SkillProposals } from "./skill-proposals";
import styles from "./wizard.module.css";
import { fieldErrors } from "@porchlight/shared/client";

const MIN_SKILLS = 3;
const MAX_SKILLS = 12;
const MAX_SKILL_LENGTH = 40;

function errorOf(skills: readonly string[]): string | undefined {
  if (skills.length < MIN_SKILLS) return `Enter at least ${MIN_SKILLS} skills.`;
  if (skills.length > MAX_SKILLS) return `${MAX_SKILLS} skills max.`;
  return skills.some((skill) => skill.length > MAX_SKILL_LENGTH)
    ? `Each skill can be up to ${MAX_SKILL_LENGTH} characters.`
    : undefined;
}

/** What the new site's home page lists, once the guru has confirmed it. */
export function SkillsCard({ skills }: { skills: WizardSkills }) {
  const [typed, setTyped] = useState<string | null>(null);
  const [checked, setChecked] = useState(false);
  const confirm = useConfirmSkills();
  const { shown, handlers } = useStableWhileFocused(skills.skills.join(", "));
  const text = typed ?? shown;
  const list = splitList(text);
  const rejection = fieldErrors(confirm.error).skills;
  const isConfirmed = skills.confirmed && typed === null;

  function addSkill(skill: string) {
    setTyped([...list, skill].join(", "));
    confirm.reset();
  }

  async function submit() {
    setChecked(true);
    if (errorOf(list)) return;
    try {
      await confirm.mutateAsync({ skills: list });
      setTyped(null);
      toast.success("Your skills are confirmed.");
    } catch {
      // The error is shown below.
    }
  }

  return (
    <Card as="section" aria-labelledby="review-skills" className={styles.stack}>
      <div className={styles.head}>
        <h2 id="review-skills" className={styles.heading}>
          Skills
        </h2>
        {isConfirmed && <Badge tone="good">Confirmed</Badge>}
      </div>
      <p className={styles.soft}>The first thing people read on your site.</p>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <SkillProposals chosen={list} onChoose={addSkill} />
        <Field
          label="What you teach"
          hint="Your best three first. Separate with commas."
          error={rejection ?? (checked ? errorOf(list) : undefined)}
        >
          <TextArea
            rows={2}
            value={text}
            {...handlers}
            onChange={(event) => {
              setTyped(event.target.value);
              confirm.reset();
            }}
          />
        </Field>
        {confirm.isError && !rejection && <Notice tone="danger">{saveErrorText(confirm.error)}</Notice>}
        <div className={styles.foot}>
          <Button type="submit" variant={isConfirmed ? "secondary" : "primary"} loading={confirm.isPending}>
            Confirm skills
          </Button>
        </div>
      </form>
      <UnsavedGuard unsaved={typed !== null} />
    </Card>
  );
}
