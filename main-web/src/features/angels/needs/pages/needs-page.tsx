import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { HandHelping, Inbox, ListChecks } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Select } from "@/components/ui/field";
import { LoadNotice } from "@/components/ui/load-notice";
import { PageHead } from "@/components/layout/page-head";
import { Skeleton } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { Tabs } from "@/components/ui/tabs";
import { BlockLink } from "@/components/ui/block-link";
import styles from "../../components/angels.module.css";
import { useAngels } from "../../api/get-angels";
import { useNeeds } from "../api/get-needs";
import { useOwnNeeds } from "../api/get-own-needs";
import { useOwnOffers } from "../api/get-own-offers";
import type { OwnOffer } from "../lib/types";
import { NeedCard } from "../components/need-card";
import { useOwnServices } from "../../api/get-own-services";
import { formatRelativeTime } from "@porchlight/shared/format/dates";
import { formatMoney } from "@porchlight/shared/format/money";

const TABS = ["board", "own", "offers"] as const;

/** Needs of other users, the user's own needs, and their offers. */
export function NeedsPage() {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((name) => name === params.get("tab")) ?? "board";
  return (
    <PageHead title="Needs" description="Help your neighbors are looking for.">
      <div className={`container ${styles.page}`}>
        <header className={styles.top}>
          <div>
            <h1 className={styles.title}>Needs</h1>
            <p className={styles.lead}>Help your neighbors are looking for. It's free to browse and make offers.</p>
          </div>
          <Button asChild>
            <Link to={paths.postNeed}>Post a need</Link>
          </Button>
        </header>
        <Tabs
          label="Needs"
          value={tab}
          onValueChange={(value) => setParams(value === "board" ? {} : { tab: value }, { preventScrollReset: true })}
          tabs={[
            { value: "board", label: "Near you", content: <Board /> },
            { value: "own", label: "My needs", content: <Own /> },
            { value: "offers", label: "My offers", content: <Offers /> },
          ]}
        />
      </div>
    </PageHead>
  );
}

function Board() {
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
      <Pages list={board} empty={needs.length === 0} icon={HandHelping} title="No one needs help with this right now.">
        <ul className={styles.grid} aria-label="Neighbors' needs">
          {needs.map((need) => (
            <NeedCard key={need.id} need={need} />
          ))}
        </ul>
      </Pages>
      {ownServices.data && !helps && (
        <p className={styles.hint}>
          <Link to={paths.beAnAngel}>Become an angel</Link>, and we'll email you when someone nearby needs your help.
        </p>
      )}
    </div>
  );
}

function Own() {
  const own = useOwnNeeds();
  const needs = own.data?.pages.flatMap((page) => page.needs) ?? [];
  return (
    <Pages list={own} empty={needs.length === 0} icon={Inbox} title="You haven't posted any needs yet.">
      <ul className={styles.grid} aria-label="My needs">
        {needs.map((need) => (
          <NeedCard key={need.id} need={need} />
        ))}
      </ul>
    </Pages>
  );
}

const OUTCOME_LABELS: Record<OwnOffer["outcome"], { tone: "green" | "neutral" | "info"; label: string }> = {
  open: { tone: "info", label: "Waiting" },
  accepted: { tone: "green", label: "Accepted" },
  declined: { tone: "neutral", label: "Someone else was chosen" },
  closed: { tone: "neutral", label: "Closed" },
  withdrawn: { tone: "neutral", label: "Withdrawn" },
};

function Offers() {
  const own = useOwnOffers();
  const offers = own.data?.pages.flatMap((page) => page.offers) ?? [];
  return (
    <Pages list={own} empty={offers.length === 0} icon={ListChecks} title="You haven't made any offers yet.">
      <ul className={styles.grid} aria-label="My offers">
        {offers.map((offer) => (
          <Card as="li" key={offer.id} interactive={offer.need !== null} className={styles.card}>
            <div className={styles.buttons}>
              <Badge tone={OUTCOME_LABELS[offer.outcome].tone}>{OUTCOME_LABELS[offer.outcome].label}</Badge>
            </div>
            <h2 className={styles.name}>
              {offer.need ? (
                <BlockLink>
                  <Link to={paths.need.replace(":need", offer.need.id)}>{offer.need.title}</Link>
                </BlockLink>
              ) : (
                "No longer available"
              )}
            </h2>
            <p className={styles.hint}>
              {formatMoney(offer.priceCents)} · {formatRelativeTime(offer.createdAt)}
            </p>
          </Card>
        ))}
      </ul>
    </Pages>
  );
}

type PagesProps = {
  list: Pick<
    UseInfiniteQueryResult,
    | "isPending"
    | "isError"
    | "error"
    | "data"
    | "isFetching"
    | "isFetchingNextPage"
    | "hasNextPage"
    | "refetch"
    | "fetchNextPage"
  >;
  empty: boolean;
  icon: typeof Inbox;
  title: string;
  children: ReactNode;
};

/** The states of a paginated list. */
function Pages({ list, empty, icon, title, children }: PagesProps) {
  return (
    <div className={styles.stack} aria-busy={list.isPending}>
      {list.isPending && (
        <div className={styles.grid}>
          {[1, 2, 3].map((n) => (
            <Skeleton key={n} height="11rem" radius="md" />
          ))}
        </div>
      )}
      {list.isError && !list.data && (
        <ErrorState
          title="We couldn't load this list"
          message={list.error?.message ?? ""}
          onRetry={() => void list.refetch()}
          retrying={list.isFetching}
        />
      )}
      {Boolean(list.data) && (empty ? <EmptyState icon={icon} title={title} /> : children)}
      {list.hasNextPage && (
        <div>
          <Button variant="secondary" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
