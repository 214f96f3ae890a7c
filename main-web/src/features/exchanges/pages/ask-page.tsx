import type { UseQueryResult } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useState, type SubmitEvent } from "react";
import { generatePath, Link, useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { useFlag } from "@/lib/feature-flags";
import { toast } from "@/lib/toast-store";
import { Avatar } from "@/components/ui/avatar";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Field, Select, TextArea } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/layout/page-head";
import { RadioGroup } from "@/components/ui/radio-group";
import { LoadingBlock } from "@/components/ui/skeleton";
import { EmptyState, ErrorState } from "@/components/ui/state";
import { useCreateExchange } from "../api/create-exchange";
import { useExchangeOffer } from "../api/get-exchange-offer";
import { useNeighborOffers } from "../api/get-neighbor-offers";
import { TimeFields } from "../components/time-fields";
import { ExchangesOff } from "../components/exchanges-off";
import styles from "../components/exchanges.module.css";
import { insideName } from "../lib/exchange-texts";
import { modeChoices } from "../lib/hours";
import { checkTimes, firstTime, MINUTES, type TypedTime } from "../lib/proposals";
import type { ExchangeOffer, ExchangePlace } from "../lib/types";
import { ApiError, fieldErrors } from "@porchlight/shared/client";
import { viewerZone, zoneName } from "@porchlight/shared/format/session-times";

const MAX_NOTE = 1000;

/** Propose times for a session about a listing, or choose one of a neighbor's listings first. */
export function AskPage() {
  const [params] = useSearchParams();
  const offer = params.get("offer");
  if (!useFlag("booking")) return <ExchangesOff />;
  return (
    <PageHead title="Ask for a session" description="Propose times for a session with a neighbor.">
      <div className={`container ${styles.page}`}>
        <h1 className={styles.title}>Ask for a session</h1>
        {offer === null ? <ChooseOffer handle={params.get("neighbor") ?? ""} /> : <AskAbout offer={offer} />}
      </div>
    </PageHead>
  );
}

/** A listing that is gone, or that could not be loaded. */
function Missing({ query }: { query: Pick<UseQueryResult, "error" | "refetch" | "isFetching"> }) {
  if (query.error instanceof ApiError && query.error.status !== 404) {
    return (
      <ErrorState
        title="We couldn't load this listing"
        message={query.error.message}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
    );
  }
  return (
    <EmptyState
      icon={SearchX}
      title="We couldn't find this listing"
      action={
        <Button asChild variant="secondary" size="sm">
          <Link to={paths.skills}>Browse skills</Link>
        </Button>
      }
    >
      It may have been removed.
    </EmptyState>
  );
}

function ChooseOffer({ handle }: { handle: string }) {
  const found = useNeighborOffers(handle);
  if (handle !== "" && found.isPending) return <LoadingBlock height="10rem" />;
  if (!found.data) return <Missing query={found} />;
  return (
    <Card as="section" className={styles.part} aria-labelledby="choose">
      <h2 id="choose" className={styles.name}>
        What would you like to learn from {found.data.name}?
      </h2>
      <ul className={styles.list}>
        {found.data.offers.map(({ id, title }) => (
          <li key={id}>
            <Link className="tap-link" to={`${paths.askForSession}?offer=${id}`}>
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function AskAbout({ offer }: { offer: string }) {
  const found = useExchangeOffer(offer);
  if (found.isPending) return <LoadingBlock height="20rem" />;
  return found.data ? <AskForm key={found.data.id} offer={found.data} /> : <Missing query={found} />;
}

/** Where the two can meet, by the formats of the listing. */
function placeChoices({ formats, neighbor }: ExchangeOffer): { value: ExchangePlace; label: string }[] {
  return [
    ...(formats.includes("in_person")
      ? ([
          { value: "teacher", label: `At ${insideName(neighbor.name)}'s place` },
          { value: "learner", label: "At my place" },
        ] as const)
      : []),
    ...(formats.includes("online") ? ([{ value: "online", label: "Online" }] as const) : []),
    { value: "agreed", label: "We agree on it later" },
  ];
}

/** What the session is about, and why it may not be possible. */
function AskHead({ offer }: { offer: ExchangeOffer }) {
  const { name } = offer.neighbor;
  return (
    <>
      <div className={styles.row}>
        <Avatar name={name} src={offer.neighbor.photoUrl} size="lg" />
        <h2 id="ask-for" className={styles.name}>
          {offer.title} with {name}
        </h2>
      </div>
      {offer.refusal !== null && <Notice tone="warning">{offer.refusal}</Notice>}
      {offer.requiresWaiver && (
        <Notice tone="warning">
          This activity is rated {offer.risk} risk. You'll need to accept a liability waiver right after you ask, so
          that you two can agree on a time.
        </Notice>
      )}
    </>
  );
}

const AnswerTime = ({ name }: { name: string }) => (
  <p className={styles.soft}>
    {name} has 72 hours to answer, but not longer than 2 hours before the first time. Until then, you can take your
    request back.
  </p>
);

function AskForm({ offer }: { offer: ExchangeOffer }) {
  const navigate = useNavigate();
  const zone = viewerZone();
  const create = useCreateExchange();
  const [idempotencyKey, setIdempotencyKey] = useState(createIdempotencyKey);
  const [rows, setRows] = useState<TypedTime[]>([firstTime(zone)]);
  const [minutes, setMinutes] = useState(60);
  const [mode, setMode] = useState(offer.modes[0] ?? "direct");
  const [place, setPlace] = useState<ExchangePlace>(offer.formats.includes("in_person") ? "teacher" : "online");
  const [note, setNote] = useState("");
  const [problems, setProblems] = useState<Record<number, string>>({});
  const { name } = offer.neighbor;
  const theirZone = offer.teacherZone === zone ? "" : offer.teacherZone;
  const now = new Date().toISOString();

  /** Another content is another request. */
  function changed() {
    setProblems({});
    if (create.isError) setIdempotencyKey(createIdempotencyKey());
    create.reset();
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    const checked = checkTimes(rows, zone);
    if ("problems" in checked) {
      setProblems(checked.problems);
      return;
    }
    create.mutate(
      {
        idempotencyKey,
        body: { offerId: offer.id, starts: checked.starts, minutes, mode, place, note: note.trim(), zone },
      },
      {
        onSuccess: (exchange) => {
          toast.success(`We've asked ${name}.`);
          void navigate(generatePath(paths.exchange, { id: exchange.id }), { replace: true });
        },
        onError: (error) => {
          const { starts } = fieldErrors(error);
          if (starts !== undefined) setProblems({ 0: starts });
        },
      },
    );
  }

  const failure = fieldErrors(create.error).starts === undefined ? create.error : null;
  return (
    <Card as="section" className={styles.part} aria-labelledby="ask-for">
      <AskHead offer={offer} />
      <form className={styles.part} onSubmit={submit} noValidate>
        {failure && <Notice tone="danger">{fieldErrors(failure).mode ?? failure.message}</Notice>}
        <TimeFields
          rows={rows}
          zone={zone}
          zoneLabel={zoneName(now, zone)}
          problems={problems}
          onChange={(times) => {
            setRows(times);
            changed();
          }}
        />
        {theirZone && (
          <p className={styles.soft}>
            {name}'s clock is on {zoneName(now, theirZone)}. They see the times in both zones.
          </p>
        )}
        <Field label="Length">
          <Select
            value={minutes}
            onChange={(event) => {
              setMinutes(Number(event.target.value));
              changed();
            }}
          >
            {MINUTES.map((each) => (
              <option key={each} value={each}>
                {each} minutes
              </option>
            ))}
          </Select>
        </Field>
        <RadioGroup
          label={`What ${insideName(name)} gets in return`}
          choices={modeChoices(offer, minutes)}
          value={mode}
          onChange={(value) => {
            setMode(value);
            changed();
          }}
        />
        <RadioGroup
          label="Where"
          choices={placeChoices(offer)}
          value={place}
          onChange={(value) => {
            setPlace(value);
            changed();
          }}
        />
        <Field label={`Note for ${name}`} hint="What would you like to learn?" optional>
          <TextArea
            rows={4}
            maxLength={MAX_NOTE}
            value={note}
            onChange={(event) => {
              setNote(event.target.value);
              changed();
            }}
          />
        </Field>
        <AnswerTime name={name} />
        <div>
          <Button type="submit" loading={create.isPending} disabled={offer.refusal !== null}>
            Ask {name}
          </Button>
        </div>
      </form>
    </Card>
  );
}
