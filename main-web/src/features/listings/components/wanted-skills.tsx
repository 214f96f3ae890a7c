import { Trash2 } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { useCreateWantedSkill } from "../api/create-wanted-skill";
import { useDeleteWantedSkill } from "../api/delete-wanted-skill";
import { AddSkillForm } from "./add-skill-form";
import styles from "./listings.module.css";

/** The skills that the user wants to learn. */
export function WantedSkills({ wants }: { wants: { id: string; title: string }[] }) {
  const add = useCreateWantedSkill();
  const remove = useDeleteWantedSkill();
  return (
    <Card as="section" className={styles.section}>
      <h2>I want to learn</h2>
      {remove.isError && <Notice tone="danger">{remove.error.message}</Notice>}
      <ul className={styles.skills}>
        {wants.map((skill) => (
          <li key={skill.id} className={styles.skillHead}>
            {skill.title}
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Remove ${skill.title}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate(skill.id)}
            >
              <Trash2 size={16} aria-hidden="true" />
            </Button>
          </li>
        ))}
      </ul>
      {wants.length === 0 && <p className={styles.soft}>Nothing yet. Describe it in your own words.</p>}
      <AddSkillForm label="Add a skill you want to learn" initial="" change={add} />
    </Card>
  );
}
