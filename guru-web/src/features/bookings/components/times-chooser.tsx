import { localDay, viewerZone, zoneName } from "@porchlight/shared/format/session-times";
import { useEffect, useMemo, useRef, useState } from "react";

import { Notice } from "../../../components/ui/notice";
import { timesPath } from "../../../lib/booking";
import { formatPrice } from "../../../lib/format-number";
import type { TimesProps } from "../../../lib/types";
import { formatFullDay, formatMonth, formatShortDay, monthOf } from "../lib/calendar-days";
import { chosenDay, type DayChoice, startsByDay } from "../lib/day-choice";
import { useHoldForm } from "../lib/use-hold-form";
import { useTimes } from "../lib/use-times";
import { DayGrid, DayGridHead } from "./day-grid";
import { TimeList } from "./time-list";

/** A calendar and the times of a day, which work without scripts: days are links, times submit a form. */
export function TimesChooser(props: TimesProps) {
  const { site, service, formKey } = props;
  const firstDay = props.day ?? props.times.today;
  const [choice, setChoice] = useState<DayChoice>({ shown: firstDay, day: props.day, range: "month" });
  const [party, setParty] = useState(props.form?.party ?? 1);
  const [viewer, setViewer] = useState<string | null>(null);
  const { times, status, reload } = useTimes(site.guru.subdomain, service.id, props.times, firstDay, choice.shown);
  const { status: hold, onSubmit } = useHoldForm(props, party, reload);
  const { zone, today, lastDay, next } = times;
  const days = useMemo(() => startsByDay(times.starts, zone), [times.starts, zone]);
  const counts = useMemo(() => new Map([...days].map(([day, starts]) => [day, starts.length])), [days]);
  const day = chosenDay(choice, days);
  const starts = day === null ? [] : (days.get(day) ?? []);
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
          counts={status === "ready" ? counts : new Map()}
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
          <div className="field party-field">
            <label htmlFor="times-party">How many people?</label>
            <select
              id="times-party"
              name="party"
              value={party}
              onChange={(event) => setParty(Number(event.currentTarget.value))}
            >
              {Array.from({ length: props.times.partyMax }, (_, index) => index + 1).map((count) => (
                <option key={count} value={count}>
                  {count === 1 ? "Just me" : `${count} people, ${formatPrice(count * service.price)}`}
                </option>
              ))}
            </select>
          </div>
        )}
        <div aria-live="assertive">
          {hold.kind === "failed" && (
            <Notice title={hold.message}>
              {hold.code === "holds_exhausted" && hold.startsAt !== null && (
                <p>
                  <a className="text-link" href={continueHref(props, hold.startsAt, party)}>
                    Sign in to continue
                  </a>
                </p>
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
                ? `${starts.length === 1 ? "1 time" : `${starts.length} times`}, in ${site.guru.character}'s time zone (${zoneName(starts[0]?.startsAt ?? "", zone)})`
                : nothingFree(choice, day)}
              {starts.length === 0 && next !== null && (
                <NextLink
                  day={localDay(next.startsAt, zone)}
                  hrefOf={hrefOf}
                  onChoose={(one) => setChoice({ shown: one, day: one, range: "month" })}
                />
              )}
            </p>
            <TimeList
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

function nothingFree({ shown, range }: DayChoice, day: string | null): string {
  if (day !== null) return "No times on this day.";
  return range === "week" ? "No times this week." : `No times in ${formatMonth(shown, false)}.`;
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

/** The page of the main site that keeps a time for a signed-in user, who has limits of their own. */
function continueHref({ site, service }: TimesProps, startsAt: string, party: number): string {
  // Not URLSearchParams, which the server's JavaScript engine lacks.
  const query = `guru=${site.guru.subdomain}&service=${service.id}&start=${encodeURIComponent(startsAt)}&party=${party}`;
  return `${site.mainOrigin}/book?${query}`;
}
