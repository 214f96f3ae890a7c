import { HeartHandshake } from "lucide-react";
import { Link } from "react-router-dom";
import { ProfileLink } from "@/components/profile-link";
import { paths } from "@/config/paths";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/state";
import { useAngelsOfCategory, type ServiceAngel } from "../api/get-angels-of-category";
import { isBookable, useTeachers, type BookableGuru } from "../api/get-teachers";
import { serviceText } from "./guru-row";
import { LoadedOptions } from "./loaded-options";
import { NextTimes } from "./next-times";
import styles from "./teachers.module.css";
import { formatMoney } from "@porchlight/shared/format/money";

/** The angels for a service or a category: a button to ask each, and the next times of those who can be booked. */
export function CategoryAngels({ category, service }: { category: string; service: string }) {
  const angels = useAngelsOfCategory(category, service);
  const handles = [...new Set(angels.data?.map(({ handle }) => handle))];
  const gurus = useTeachers({ angels: handles }, handles.length > 0).data?.gurus.filter(isBookable) ?? [];
  return (
    <LoadedOptions query={angels}>
      {(found) =>
        found.length === 0 ? (
          <EmptyState icon={HeartHandshake} title="No angels for this yet.">
            Post it anyway. New angels will see it when they join.
          </EmptyState>
        ) : (
          <ul className={styles.list} aria-label="Angels">
            {found.map((angel) => (
              <AngelRow
                key={`${angel.service} ${angel.handle}`}
                angel={angel}
                guru={gurus.find(({ handle }) => handle === angel.handle)}
              />
            ))}
          </ul>
        )
      }
    </LoadedOptions>
  );
}

function AngelRow({ angel, guru }: { angel: ServiceAngel; guru: BookableGuru | undefined }) {
  const ask = new URLSearchParams({ service: angel.service, angel: angel.handle }).toString();
  return (
    <li className={styles.row}>
      <div className={styles.person}>
        <Avatar name={angel.name} src={angel.photoURL} />
        <div>
          <h3 className={styles.name}>
            <ProfileLink handle={angel.handle}>{angel.name}</ProfileLink>
          </h3>
          <p className={styles.soft}>
            {formatMoney(angel.rateCents)}/hr · {angel.city}
          </p>
        </div>
        <Button asChild size="sm">
          <Link to={{ pathname: paths.postNeed, search: ask }}>Ask {angel.name}</Link>
        </Button>
      </div>
      {guru && (
        <>
          <p>{serviceText(guru)}</p>
          <NextTimes guru={guru} />
        </>
      )}
    </li>
  );
}
