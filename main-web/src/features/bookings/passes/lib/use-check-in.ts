import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import { bookingsKey } from "../../guru/api/get-bookings";
import { rosterQuery, useRoster, type LoadedRoster } from "../api/get-roster";
import { addStep, queuedSteps, sendSteps, withPerson, withSteps, type QueuedStep } from "./check-in-queue";
import { findBooking, findCode, judgePass, judgePerson, nameOf, type Found, type Verdict } from "./check-in-rules";
import { deviceName } from "./device-name";
import { readPass } from "./signed-pass";
import { formatClock } from "@porchlight/shared/format/session-times";

/** A browser does not always say when the network is back, and a network may have no way to the server. */
const RETRY_MS = 5_000;
const GOOD_BUZZ = [80];
const BAD_BUZZ = [60, 60, 60];

/** What the page says to the last check-in. `number` tells equal results apart. */
export type Result = {
  number: number;
  tone: "success" | "warning" | "danger";
  text: string;
  /** The person whose check-in can be undone, or confirmed despite the missing waiver. */
  found: Found | null;
  pass: string;
};

/** Check people in, also without a connection: what the server does not know yet waits in a queue. */
export function useCheckIn() {
  const userId = useConsoleUserId();
  const queries = useQueryClient();
  const roster = useRoster(userId);
  const [steps, setSteps] = useState<QueuedStep[]>([]);
  const [result, setResult] = useState<Result | null>(null);
  const [device, setDevice] = useState(deviceName);
  const isSending = useRef(false);

  const say = useCallback((said: Omit<Result, "number">) => {
    // Not every browser can vibrate.
    (navigator as Partial<Navigator>).vibrate?.(said.tone === "success" ? GOOD_BUZZ : BAD_BUZZ);
    setResult((before) => ({ ...said, number: (before?.number ?? 0) + 1 }));
  }, []);

  const send = useCallback(async () => {
    if (isSending.current) return;
    isSending.current = true;
    try {
      const sent = await sendSteps(userId);
      for (const { step, person, refusal } of sent) {
        if (person) {
          queries.setQueryData<LoadedRoster>(rosterQuery(userId).queryKey, (loaded) =>
            loaded ? { ...loaded, roster: withPerson(loaded.roster, person) } : loaded,
          );
        } else {
          say({ tone: "danger", text: `${step.name}: ${refusal}`, found: null, pass: "" });
        }
      }
      if (sent.length === 0) return;
      const { queryKey } = rosterQuery(userId);
      // A list that was kept is old, and now there is a connection.
      const isKept = queries.getQueryData<LoadedRoster>(queryKey)?.isKept === true;
      if (isKept || sent.some(({ refusal }) => refusal !== "")) await queries.invalidateQueries({ queryKey });
      void queries.invalidateQueries({ queryKey: bookingsKey(userId) });
    } finally {
      isSending.current = false;
      const left = await queuedSteps(userId);
      setSteps((before) => (before.length + left.length === 0 ? before : left));
    }
  }, [userId, queries, say]);

  useCatchUp(userId, send);

  const now = () => Date.now() + (roster.data?.skew ?? 0);
  const current = roster.data ? withSteps(roster.data.roster, steps) : null;

  async function add(step: Omit<QueuedStep, "id">) {
    const queued = await addStep(userId, step);
    setSteps((before) => [...before, queued]);
    // The next one may come at once.
    void send();
  }

  async function record(found: Found, pass: string, waiverDueSeen: boolean) {
    const name = nameOf(found.person);
    const at = `${new Date(now()).toISOString().slice(0, 19)}Z`;
    const people = found.person.party > 1 ? ` with ${found.person.party} people` : "";
    await add({ kind: "check-in", bookingId: found.person.bookingId, name, at, device, pass, waiverDueSeen });
    const checkedIn = { ...found, person: { ...found.person, checkedInAt: at, checkedInBy: device } };
    say({ tone: "success", text: `${name} is checked in${people}.`, found: checkedIn, pass: "" });
  }

  async function act(verdict: Verdict, pass = "") {
    switch (verdict.kind) {
      case "good":
        await record(verdict.found, pass, false);
        return;
      case "waiver":
        say({
          tone: "warning",
          text: `Waiver due: not everyone of ${nameOf(verdict.found.person)} has signed. Ask them to sign before you start.`,
          found: verdict.found,
          pass,
        });
        return;
      case "already":
        say({ tone: "warning", text: `${nameOf(verdict.found.person)}: ${verdict.text}`, found: null, pass: "" });
        return;
      case "refused":
        say({ tone: "danger", text: verdict.text, found: null, pass: "" });
    }
  }

  return {
    roster,
    /** The list with what this device has done. */
    current,
    waiting: steps.length,
    result,
    device,
    setDevice,
    now,
    checkIn: (found: Found) => act(judgePerson(found, now())),
    /** Check in someone whose waiver the guru knows to be missing. */
    checkInAnyway: (found: Found, pass: string) => record(found, pass, true),
    checkInCode: async (code: string) => {
      const found = current && findCode(current, code);
      await act(found ? judgePerson(found, now()) : { kind: "refused", text: "No one on your list has this code." });
      return found !== null;
    },
    scan: async (text: string) => {
      if (!roster.data || !current) return;
      const zone = current.sessions[0]?.zone ?? "";
      const listTime = formatClock(new Date(roster.data.loadedAt).toISOString(), zone);
      const pass = await readPass(text, current.keys);
      await act(judgePass(pass, { roster: current, now: now(), listTime }), text);
    },
    undo: async (found: Found) => {
      const latest = current && findBooking(current, found.person.bookingId);
      const person = latest?.person ?? found.person;
      if (person.checkedInAt === null) return;
      const name = nameOf(person);
      await add({
        kind: "undo",
        bookingId: person.bookingId,
        name,
        at: person.checkedInAt,
        device,
        pass: "",
        waiverDueSeen: false,
      });
      say({ tone: "success", text: `${name} is no longer checked in.`, found: null, pass: "" });
    },
  };
}

export type CheckInState = ReturnType<typeof useCheckIn>;

/** Send what an earlier visit could not send, and again whenever the network comes back. */
function useCatchUp(userId: string, send: () => Promise<void>) {
  const queries = useQueryClient();
  useEffect(() => {
    const run = () => void send();
    const catchUp = () => {
      run();
      void queries.invalidateQueries({ queryKey: rosterQuery(userId).queryKey });
    };
    run();
    const timer = setInterval(run, RETRY_MS);
    window.addEventListener("online", catchUp);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", catchUp);
    };
  }, [send, queries, userId]);
}
