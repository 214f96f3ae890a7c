import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { HandHelping, Inbox, ListChecks } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { paths } from "../../app/paths";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { Field, Select } from "../../ui/field";
import { formatAgo } from "../../ui/format-date";
import { Page } from "../../ui/page";
import { Skeleton } from "../../ui/skeleton";
import { EmptyState, ErrorState } from "../../ui/state";
import { Tabs } from "../../ui/tabs";
import { WholeLink } from "../../ui/whole-link";
import styles from "./angels.module.css";
import { dollars } from "./formats";
import { useAngels } from "./get-angels";
import { useBoard, useOwnNeeds, useOwnOffers, type OwnOffer } from "./get-needs";
import { NeedCard } from "./need-card";
import { useOwnServices } from "./own-services";

const TABS = ["board", "own", "offers"] as const;

/** What neighbors need, what one needs oneself, and what one offered. */
export function NeedsPage() {
  const [params, setParams] = useSearchParams();
  const tab = TABS.find((name) => name === params.get("tab")) ?? "board";
  return (
    <Page title="Needs" description="What neighbors need a hand with.">
      <div className={`container ${styles.page}`}>
        <header className={styles.top}>
          <div>
            <h1 className={styles.title}>Needs</h1>
            <p className={styles.lead}>What neighbors need a hand with. Reading and offering is free.</p>
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
    </Page>
  );
}

function Board() {
  const [params, setParams] = useSearchParams();
  const services = useAngels().data?.services ?? [];
  const helps = (useOwnServices().data?.services.length ?? 0) > 0;
  const service = services.find(({ id }) => id === params.get("service"))?.id ?? "";
  const fitting = params.get("show") === "fitting";
  const board = useBoard({ service, fitting });
  const needs = board.data?.pages.flatMap((page) => page.needs) ?? [];
  const set = (name: string, value: string) =>
    setParams(
      (now) => {
        if (value) now.set(name, value);
        else now.delete(name);
        return now;
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
              <option value="fitting">What I help with, near me</option>
            </Select>
          </Field>
        )}
      </div>
      <Pages list={board} empty={needs.length === 0} icon={HandHelping} title="Nobody needs a hand with this right now.">
        <ul className={styles.grid} aria-label="Needs of neighbors">
          {needs.map((need) => (
            <NeedCard key={need.id} need={need} />
          ))}
        </ul>
      </Pages>
      {!helps && (
        <p className={styles.hint}>
          <Link to={paths.beAnAngel}>Be an angel</Link>, and we mail you when somebody near needs what you are good at.
        </p>
      )}
    </div>
  );
}

function Own() {
  const own = useOwnNeeds();
  const needs = own.data?.pages.flatMap((page) => page.needs) ?? [];
  return (
    <Pages list={own} empty={needs.length === 0} icon={Inbox} title="You have not posted a need yet.">
      <ul className={styles.grid} aria-label="My needs">
        {needs.map((need) => (
          <NeedCard key={need.id} need={need} />
        ))}
      </ul>
    </Pages>
  );
}

const OUTCOMES: Record<OwnOffer["outcome"], { tone: "green" | "neutral" | "info"; words: string }> = {
  open: { tone: "info", words: "Waiting" },
  accepted: { tone: "green", words: "Accepted" },
  declined: { tone: "neutral", words: "Given to somebody else" },
  closed: { tone: "neutral", words: "Closed" },
  withdrawn: { tone: "neutral", words: "Withdrawn" },
};

function Offers() {
  const own = useOwnOffers();
  const offers = own.data?.pages.flatMap((page) => page.offers) ?? [];
  return (
    <Pages list={own} empty={offers.length === 0} icon={ListChecks} title="You have not made an offer yet.">
      <ul className={styles.grid} aria-label="My offers">
        {offers.map((offer) => (
          <Card as="li" key={offer.id} interactive={offer.need !== null} className={styles.card}>
            <div className={styles.buttons}>
              <Badge tone={OUTCOMES[offer.outcome].tone}>{OUTCOMES[offer.outcome].words}</Badge>
            </div>
            <h2 className={styles.name}>
              {offer.need ? (
                <WholeLink>
                  <Link to={paths.need.replace(":need", offer.need.id)}>{offer.need.title}</Link>
                </WholeLink>
              ) : (
                "No longer there"
              )}
            </h2>
            <p className={styles.hint}>
              {dollars(offer.priceCents)} · {formatAgo(offer.createdAt)}
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
    "isPending" | "isError" | "error" | "data" | "isFetching" | "isFetchingNextPage" | "hasNextPage" | "refetch" | "fetchNextPage"
  >;
  empty: boolean;
  icon: typeof Inbox;
  title: string;
  children: ReactNode;
};

/** The states of a list that comes page by page. */
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
          title="This list is out of reach"
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
