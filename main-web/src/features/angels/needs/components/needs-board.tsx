import { HandHelping } from "lucide-react";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { Field, Select } from "@/components/ui/field";
import { LoadNotice } from "@/components/ui/load-notice";
import styles from "../../components/angels.module.css";
import { useAngels } from "../../api/get-angels";
import { useOwnServices } from "../../api/get-own-services";
import { useNeeds } from "../api/get-needs";
import { NeedCard } from "./need-card";
import { PagedList } from "./paged-list";

/** The needs of neighbors, filtered by what the URL says. */
export function NeedsBoard() {
  const [params, setParams] = useSearchParams();
  const angels = useAngels();
  const ownServices = useOwnServices();
  const services = angels.data?.services ?? [];
  const helps = (ownServices.data?.services.length ?? 0) > 0;
  const service = services.find(({ id }) => id === params.get("service"))?.id ?? "";
  const fitting = params.get("show") === "fitting";
  const board = useNeeds({ service, fitting });
  const needs = board.data?.pages.flatMap((page) => page.needs) ?? [];
  const set = (name: string, value: string) =>
    setParams(
      (current) => {
        if (value) current.set(name, value);
        else current.delete(name);
        return current;
      },
      { preventScrollReset: true },
    );

  return (
    <div className={styles.stack}>
      <div className={styles.filters}>
        <Field label="Kind of help">
          <Select value={service} onChange={(event) => set("service", event.target.value)}>
            <option value="">All kinds</option>
            {services.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        </Field>
        {helps && (
          <Field label="Show">
            <Select value={fitting ? "fitting" : ""} onChange={(event) => set("show", event.target.value)}>
              <option value="">Everything</option>
              <option value="fitting">Near me, matching my services</option>
            </Select>
          </Field>
        )}
      </div>
      <LoadNotice what="all filters" queries={[angels, ownServices]} />
      <PagedList
        list={board}
        empty={needs.length === 0}
        icon={HandHelping}
        title="No one needs help with this right now."
      >
        <ul className={styles.grid} aria-label="Neighbors' needs">
          {needs.map((need) => (
            <NeedCard key={need.id} need={need} />
          ))}
        </ul>
      </PagedList>
      {ownServices.data && !helps && (
        <p className={styles.hint}>
          <Link to={paths.beAnAngel}>Become an angel</Link>, and we'll email you when someone nearby needs your help.
        </p>
      )}
    </div>
  );
}
