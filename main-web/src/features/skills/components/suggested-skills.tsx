import { Lightbulb } from "lucide-react";
import { Link } from "react-router-dom";
import { useFlag } from "@/lib/feature-flags";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import styles from "./matches-tab.module.css";
import { useSuggestedSkills } from "../api/get-suggested-skills";

/** The skill that would bring the most new matches; hidden if there is none. */
export function SuggestedSkills({ userId }: { userId: string | null }) {
  const canListSkills = useFlag("skillListing");
  const openings = useSuggestedSkills(userId);
  const [best, ...rest] = openings.data?.skills ?? [];
  if (!best || !canListSkills) return null;
  return (
    <Card as="section" className={styles.whatIf}>
      <Lightbulb size={22} aria-hidden="true" />
      <div>
        <h2 className={styles.question}>What if you offered {best.skill}?</h2>
        <p className={styles.lead}>
          You'd match with {best.people === 1 ? "1 more neighbor" : `${best.people} more neighbors`} nearby
          {rest.length > 0 && `. Also popular: ${rest.map((other) => `${other.skill} (${other.people})`).join(", ")}`}.
        </p>
      </div>
      <Button asChild variant="secondary" size="sm">
        <Link to={`${paths.mySkills}?offer=${encodeURIComponent(best.skill)}`}>Add this skill</Link>
      </Button>
    </Card>
  );
}
