import { Inbox } from "lucide-react";
import styles from "../../components/angels.module.css";
import { useOwnNeeds } from "../api/get-own-needs";
import { NeedCard } from "./need-card";
import { PagedList } from "./paged-list";

/** The needs that the user posted. */
export function OwnNeeds() {
  const own = useOwnNeeds();
  const needs = own.data?.pages.flatMap((page) => page.needs) ?? [];
  return (
    <PagedList list={own} empty={needs.length === 0} icon={Inbox} title="You haven't posted any needs yet.">
      <ul className={styles.grid} aria-label="My needs">
        {needs.map((need) => (
          <NeedCard key={need.id} need={need} />
        ))}
      </ul>
    </PagedList>
  );
}
