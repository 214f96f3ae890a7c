import { localDay, viewerZone, zoneName } from "@porchlight/shared/format/session-times";
import { useEffect, useMemo, useRef, useState } from "react";

import { formatFullDay, formatMonth, formatShortDay, monthOf } from "@porchlight/shared/format/calendar-days";
import { Notice } from "../../../components/ui/notice";
import { startHref, timesPath } from "../../../lib/booking";
import type { Service, Site, TimesProps } from "../../../lib/types";
import { chosenDay, countFree, type DayChoice, firstFreeDay, startsByDay } from "../lib/day-choice";
import { useHoldForm } from "../lib/use-hold-form";
import { useTimes } from "../lib/use-times";
import { DayGrid, DayGridHead } from "./day-grid";
import { PartyField } from "./party-field";
import { TimeList } from "./time-list";

/** A calendar and the times of a day, which work without scripts: days are links, times submit a form. */
export function TimesChooser(props: TimesProps) {
  const { site, service, formKey } = props;
  const firstDay = props.day ?? props.times.today;
  const [choice, setChoice] = useState<DayChoice>(() => ({
    // A phone shows one week: the one with the first times.
    shown: props.day ?? firstFreeDay(props.times) ?? firstDay,
    day: props.day,
    range: "month",
  }));
  const [party, setParty] = useState(props.form?.party ?? 1);
  const [viewer, setViewer] = useState<string | null>(null);
  const { times, status, reload } = useTimes(site.guru.subdomain, service.id, props.times, firstDay, choice.shown);
  const { status: hold, onSubmit } = useHoldForm(props, party, reload);
  const { zone, today, lastDay, next } = times;
  const days = useMemo(() => startsByDay(times), [times]);
  const day = chosenDay(choice, days);
  const starts = day === null ? [] : (days.get(day) ?? []);
  const free = countFree(starts);
  const hrefOf = (one: string) => `${timesPath(service)}?day=${one}`;
  const url = hrefOf(choice.day ?? choice.shown);
  const isInteractive = viewer !== null;
  const firstUrl = useRef(url);

  // Not while rendering: the server does not know the viewer's zone.
  // eslint-disable-next-line react-hooks/set-state-in-effect
  useEffect(() => setViewer(viewerZone()), []);

  useEffect(() => {
    // A reload and the way back show the chosen day again.
    if (url === firstUrl.current) return;
    firstUrl.current = "";
    window.history.replaceState({ ...(window.history.state as object), as: url }, "", url);
  }, [url]);

  return (
    <form method="post" action={timesPath(service)} className="times-chooser" onSubmit={onSubmit}>
      <input type="hidden" name="key" value={formKey} />
      <div className="panel day-panel">
        <DayGridHead
          shown={choice.shown}
          today={today}
          lastDay={lastDay}
          hrefOf={hrefOf}
          onGo={(shown, range) => setChoice({ shown, day: null, range })}
        />
        <DayGrid
          shown={choice.shown}
          chosen={day}
          today={today}
          lastDay={lastDay}
          days={status === "ready" ? days : new Map()}
          isLoading={status === "loading"}
          isInteractive={isInteractive}
          hrefOf={hrefOf}
          onChoose={(one) => setChoice({ shown: one, day: one, range: "month" })}
          onMove={(shown) =>
            setChoice((before) => ({
              ...before,
              shown,
              day: monthOf(shown) === monthOf(before.shown) ? before.day : null,
            }))
          }
        />
      </div>
      <div className="panel time-panel">
        {props.times.partyMax > 1 && (
          <PartyField party={party} max={props.times.partyMax} price={service.price} onChange={setParty} />
        )}
        <div aria-live="assertive">
          {hold.kind === "failed" && (
            <Notice title={hold.message}>
              {hold.startsAt !== null && (
                <HoldErrorLink site={site} service={service} startsAt={hold.startsAt} party={party} code={hold.code} />
              )}
            </Notice>
          )}
        </div>
        {status === "loading" && <p role="status">Looking for times…</p>}
        {status === "failed" && (
          <Notice title="We couldn't load the times.">
            <p>
              <button className="button button-secondary button-small" type="button" onClick={reload}>
                Try again
              </button>
            </p>
          </Notice>
        )}
        {status === "ready" && (
          <>
            {day !== null && <h2>{formatFullDay(day)}</h2>}
            <p role="status" className="muted">
              {starts.length > 0
                ? `${countText(free)}, in ${site.guru.character}'s time zone (${zoneName(starts[0]?.startsAt ?? "", zone)})${free === 0 ? "." : ""}`
                : nothingFree(choice, day)}
              {free === 0 && next !== null && (
                <NextLink
                  day={localDay(next.startsAt, zone)}
                  hrefOf={hrefOf}
                  onChoose={(one) => setChoice({ shown: one, day: one, range: "month" })}
                />
              )}
            </p>
            <TimeList
              site={site}
              service={service}
              starts={starts}
              zone={zone}
              viewer={viewer}
              isGroup={times.capacity > 1}
              party={party}
              holding={hold.kind === "holding" ? hold.startsAt : null}
            />
            {starts.length === 0 && next === null && (
              <p>
                <a className="text-link" href="/contact">
                  Ask {site.guru.character} about a time
                </a>
              </p>
            )}
          </>
        )}
      </div>
    </form>
  );
}

const countText = (free: number) => (free === 0 ? "No free spots" : free === 1 ? "1 time" : `${free} times`);

function nothingFree({ shown, range }: DayChoice, day: string | null): string {
  if (day !== null) return "No times on this day.";
  return range === "week" ? "No times this week." : `No times in ${formatMonth(shown, false)}.`;
}

interface HoldErrorLinkProps {
  site: Site;
  service: Service;
  startsAt: string;
  party: number;
  code: string;
}

/** What a visitor can do about a time that was not kept. Signed-in users have limits of their own. */
function HoldErrorLink({ site, service, startsAt, party, code }: HoldErrorLinkProps) {
  if (code !== "holds_exhausted" && code !== "session_full") return null;
  const isFull = code === "session_full";
  return (
    <p>
      <a
        className="text-link"
        href={startHref(isFull ? "/sessions/waitlist" : "/book", site, service, startsAt, party)}
      >
        {isFull ? "Join the waitlist" : "Continue with your account"}
      </a>
    </p>
  );
}

interface NextLinkProps {
  day: string;
  hrefOf: (day: string) => string;
  onChoose: (day: string) => void;
}

function NextLink({ day, hrefOf, onChoose }: NextLinkProps) {
  return (
    <>
      {" The next is "}
      <a
        className="text-link"
        href={hrefOf(day)}
        onClick={(event) => {
          event.preventDefault();
          onChoose(day);
        }}
      >
        {formatShortDay(day)}
      </a>
      .
    </>
  );
}
