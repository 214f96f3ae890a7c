import { UserSearch } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { MessageLink } from "@/features/messages/contract";
import { PremiumBadge } from "@/features/billing/contract";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/state";
import { useTeachers, type NeighborTeacher } from "../api/get-teachers";
import { GuruRow } from "./guru-row";
import { LoadedOptions } from "./loaded-options";
import styles from "./teachers.module.css";

type CategoryTeachersProps = {
  category: string;
  /** The id of a listing that the card shows already; "" for none. */
  shown: string;
};

/** Who teaches a category or skill: gurus with their next times, and neighbors to ask. */
export function CategoryTeachers({ category, shown }: CategoryTeachersProps) {
  const teachers = useTeachers({ category });
  return (
    <LoadedOptions query={teachers}>
      {(found) => {
        const { gurus } = found;
        const neighbors = found.neighbors.filter(({ listingId }) => listingId !== shown);
        if (gurus.length === 0 && neighbors.length === 0) return shown ? null : <NoTeachers />;
        return (
          <>
            {shown && <h3 className={styles.name}>Others who teach this</h3>}
            {gurus.length > 0 && (
              <ul className={styles.list} aria-label="Gurus">
                {gurus.map((guru) => (
                  <GuruRow key={guru.label} guru={guru} />
                ))}
              </ul>
            )}
            {neighbors.length > 0 && (
              <>
                {!shown && <h3 className={styles.name}>Neighbors who teach this</h3>}
                <ul className={styles.list} aria-label="Neighbors">
                  {neighbors.map((neighbor) => (
                    <NeighborRow key={neighbor.handle} neighbor={neighbor} />
                  ))}
                </ul>
              </>
            )}
          </>
        );
      }}
    </LoadedOptions>
  );
}

function NoTeachers() {
  return (
    <EmptyState
      icon={UserSearch}
      title="No one teaches this yet."
      action={
        <Button asChild size="sm">
          <Link to={paths.postNeed}>Post a need</Link>
        </Button>
      }
    >
      Tell your neighbors what you're looking for.
    </EmptyState>
  );
}

function NeighborRow({ neighbor }: { neighbor: NeighborTeacher }) {
  const canListSkills = useFlag("skillListing");
  const what = `${neighbor.title} with ${neighbor.name}`;
  const where = [neighbor.city, neighbor.miles !== null && `about ${neighbor.miles} mi away`].filter(Boolean);
  return (
    <li className={styles.person}>
      <Avatar name={neighbor.name} src={neighbor.photoUrl} />
      <div>
        <p className={styles.name}>
          {canListSkills ? <Link to={generatePath(paths.listing, { id: neighbor.listingId })}>{what}</Link> : what}{" "}
          {neighbor.premium && <PremiumBadge />}
        </p>
        <p className={styles.soft}>{where.join(" · ")}</p>
      </div>
      <MessageLink
        to={{ kind: "listing", id: neighbor.listingId }}
        name={neighbor.name}
        firstWords={`I'd like to learn ${neighbor.title}.`}
      />
    </li>
  );
}
