import { Lightbulb } from "lucide-react";
import { Link } from "react-router-dom";
import { paths } from "../../app/paths";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import styles from "./coaching-extras.module.css";
import { useOpenings } from "./get-openings";

/** The one skill to offer that would open the most matches; nothing while there is none. */
export function WhatIf({ userId }: { userId: string | null }) {
  const openings = useOpenings(userId);
  const [best, ...others] = openings.data?.skills ?? [];
  if (!best) return null;
  return (
    <Card as="section" className={styles.whatIf}>
      <Lightbulb size={22} aria-hidden="true" />
      <div>
        <h2 className={styles.question}>What if you offered {best.skill}?</h2>
        <p className={styles.lead}>
          {best.people === 1 ? "1 more neighbor" : `${best.people} more neighbors`} nearby would match with you
          {others.length > 0 && `. After that: ${others.map((one) => `${one.skill} (${one.people})`).join(", ")}`}.
        </p>
      </div>
      <Button asChild variant="secondary" size="sm">
        <Link to={`${paths.mySkills}?offer=${encodeURIComponent(best.skill)}`}>Offer it</Link>
      </Button>
    </Card>
  );
}
