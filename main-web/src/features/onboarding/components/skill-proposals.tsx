import { Plus } from "lucide-react";
import { useRef } from "react";
import { Choice, Choices } from "@/components/ui/choices";
import { useSkillProposals } from "../api/get-skill-proposals";
import styles from "./wizard.module.css";

type SkillProposalsProps = {
  chosen: readonly string[];
  onChoose: (skill: string) => void;
};

/** Skills that fit the bio and the categories, each added with one press. Nothing while there are none. */
export function SkillProposals({ chosen, onChoose }: SkillProposalsProps) {
  const proposals = useSkillProposals();
  const group = useRef<HTMLDivElement>(null);
  const known = new Set(chosen.map((skill) => skill.toLowerCase()));
  const open = (proposals.data?.skills ?? []).filter((skill) => !known.has(skill.toLowerCase()));
  if (open.length === 0) return null;
  return (
    <div className={styles.proposals} ref={group}>
      <p className={styles.note}>Fits your bio and categories. Tap what you teach:</p>
      <Choices label="Skills to add">
        {open.map((skill, at) => (
          <Choice
            key={skill}
            className={styles.proposal}
            aria-label={`Add ${skill}`}
            onClick={() => {
              // The pressed button goes away: the focus moves to its neighbor.
              const buttons = group.current?.querySelectorAll("button");
              (buttons?.[at + 1] ?? buttons?.[at - 1])?.focus();
              onChoose(skill);
            }}
          >
            <Plus size={16} aria-hidden="true" />
            <span>{skill}</span>
          </Choice>
        ))}
      </Choices>
    </div>
  );
}
