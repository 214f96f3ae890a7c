import { UserSearch } from "lucide-react";
import { generatePath, Link } from "react-router-dom";
import { paths } from "@/config/paths";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/state";
import { useTeachers, type NeighborTeacher } from "../api/get-teachers";
import { GuruRow } from "./guru-row";
import { LoadedOptions } from "./loaded-options";
import styles from "./teachers.module.css";

/** Who teaches a category or skill: gurus with their next times, and neighbors. */
export function CategoryTeachers({ category }: { category: string }) {
  const teachers = useTeachers({ category });
  return (
    <LoadedOptions query={teachers}>
      {({ gurus, neighbors }) => (
        <>
          {gurus.length === 0 && neighbors.length === 0 && (
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
          )}
          {gurus.length > 0 && (
            <ul className={styles.list} aria-label="Gurus">
              {gurus.map((guru) => (
                <GuruRow key={guru.label} guru={guru} />
              ))}
            </ul>
          )}
          {neighbors.length > 0 && (
            <>
              <h3 className={styles.name}>Neighbors who teach this</h3>
              <ul className={styles.list} aria-label="Neighbors">
                {neighbors.map((neighbor) => (
                  <NeighborRow key={neighbor.handle} neighbor={neighbor} />
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </LoadedOptions>
  );
}

function NeighborRow({ neighbor }: { neighbor: NeighborTeacher }) {
  const where = [neighbor.city, neighbor.miles !== null && `about ${neighbor.miles} mi away`].filter(Boolean);
  return (
    <li className={styles.person}>
      <Avatar name={neighbor.name} src={neighbor.photoUrl} />
      <div>
        <p className={styles.name}>
          <Link to={generatePath(paths.listing, { id: neighbor.listingId })}>
            {neighbor.title} with {neighbor.name}
          </Link>
        </p>
        <p className={styles.soft}>{where.join(" · ")}</p>
      </div>
    </li>
  );
}
