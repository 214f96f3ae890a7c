import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { generatePath, useNavigate, useSearchParams } from "react-router-dom";
import { paths } from "@/config/paths";
import { profileQuery, useProfile } from "@/lib/session/get-profile";
import { registerAccount } from "@/lib/session/sync-session";
import { answerErrors, answersOf, focusFirstAnswer } from "@/lib/questions";
import { useStableWhileFocused } from "@/lib/use-stable-while-focused";
import type { SignedInUser } from "@/lib/session/session-context";
import type { BookingPayload } from "../api/create-booking";
import { deleteDraft, readDraft, saveDraft, type BookingDraft } from "./booking-draft";
import { draftOfParty, partyOf, type PartyPerson } from "./party";
import { coveredStarts } from "./package-texts";
import type { Booking, Hold } from "./types";
import { useBookingRequest } from "./use-booking-request";
import { useSeriesPlan, type SeriesPlan } from "./use-series-plan";
import { viewerZone } from "@porchlight/shared/format/session-times";
import { ApiError, fieldErrors } from "@porchlight/shared/client";

/** After these errors the hold or its waiver differs from what is shown. */
const RELOADING_CODES = new Set([
  "booking_changed",
  "hold_expired",
  "policy_changed",
  "package_changed",
  "waiver_required",
  "waiver_expired",
  "waiver_too_short",
  "not_found",
]);

type BookingFormOptions = {
  hold: Hold;
  user: SignedInUser;
  onReload: () => void;
};

export type BookingFormState = ReturnType<typeof useBookingForm>;

/** The state of the form that books a hold: what was typed, what is missing, and the request that sends it. */
export function useBookingForm({ hold, user, onReload }: BookingFormOptions) {
  const [, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const profile = useProfile();
  const queries = useQueryClient();
  const request = useBookingRequest();
  const [draft, setDraft] = useState(() => readDraft(hold.guruLabel, hold.serviceId));
  const [nameError, setNameError] = useState<string>();
  const [addressError, setAddressError] = useState<string>();
  const [isChecked, setIsChecked] = useState(false);
  const [peopleErrors, setPeopleErrors] = useState<ReadonlyMap<number, string>>(new Map());
  const [verification, setVerification] = useState<"refused" | "done" | null>(null);
  // The identity provider may say it later than the page was opened.
  const mustVerify = verification === "refused" || (verification === null && !user.emailVerified);
  const missingAnswers = answerErrors(hold.questions, draft.answers);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const ownName = useStableWhileFocused(profile.data?.displayName || user.displayName);
  const name = draft.name ?? ownName.shown;
  const party = draftOfParty(draft.people, hold.party);
  const people = hold.waiver.required ? partyOf(party, name, hold.waiver) : [];
  const plan = useSeriesPlan(hold, draft.repeat, people, gone);
  const [paysAll, setPaysAll] = useState(false);
  const starts = [hold.startsAt, ...plan.starts];
  const covered = hold.package ? coveredStarts(hold.package, starts, hold.party).length : 0;
  const used = paysAll ? 0 : covered;

  function change(part: Partial<BookingDraft>) {
    if (part.name !== undefined) setNameError(undefined);
    if (part.address !== undefined) setAddressError(undefined);
    if (part.people !== undefined) setPeopleErrors(new Map());
    if (part.repeat !== undefined || part.people !== undefined) request.reset();
    const changed = { ...draft, ...part };
    setDraft(changed);
    saveDraft(hold.guruLabel, hold.serviceId, changed);
  }

  function submit() {
    setIsChecked(true);
    if (name.trim() === "") {
      setNameError("Enter your name");
      focusField("input[name=name]");
      return;
    }
    const unnamed = people.findIndex((person) => person.name === "");
    setPeopleErrors(new Map(people.flatMap((person, index) => (person.name === "" ? [[index, "Enter a name"]] : []))));
    if (unnamed !== -1) {
      focusField(`input[name=participant-${unnamed}]`);
      return;
    }
    if (hold.place === "person" && draft.address.trim() === "") {
      askForAddress("Enter the address where you'd like to meet.");
      return;
    }
    if (focusFirstAnswer(hold.questions, missingAnswers)) return;
    request.send(bookingPayload(hold, draft, name, people, used), plan.starts, { onSuccess, onError });
  }

  function askForAddress(problem: string) {
    setAddressError(problem);
    focusField("textarea[name=address]");
  }

  function onSuccess({ id, status, payment }: Booking) {
    deleteDraft(hold.guruLabel, hold.serviceId);
    if ((profile.data?.displayName ?? user.displayName) === "") {
      // Who signed in by a code has typed a name here for the first time.
      void registerAccount(user, { displayName: name.trim() }).then(() =>
        queries.invalidateQueries(profileQuery(user.uid)),
      );
    }
    if (status !== "held") setSearch({ booking: id }, { replace: true });
    else if (payment?.url) window.location.assign(payment.url);
    else void navigate(generatePath(paths.session, { id }), { replace: true });
  }

  function onError(reason: Error) {
    const code = reason instanceof ApiError ? reason.code : "";
    if (code === "email_unverified") setVerification("refused");
    const { address } = fieldErrors(reason);
    if (address) askForAddress(address);
    else focusFirstAnswer(hold.questions, fieldErrors(reason));
    if (RELOADING_CODES.has(code)) onReload();
    if (code === "series_partly_gone") {
      setGone(new Set([...gone, ...Object.keys(fieldErrors(reason))]));
      plan.refetch();
    }
  }

  function confirmVerified() {
    setVerification("done");
    request.reset();
  }

  return {
    draft,
    change,
    /** The name, from the draft or from the profile. */
    name,
    nameHandlers: ownName.handlers,
    /** Everyone who comes, as typed. */
    party,
    /** Who takes part in a session that needs waivers; otherwise no one. */
    people,
    plan,
    /** How many of the sessions the package can cover, how many it does, and the choice to pay for all. */
    packages: { covered, used, paysAll, setPaysAll },
    errors: {
      name: nameError,
      address: addressError,
      people: peopleErrors,
      answers: { ...fieldErrors(request.error), ...(isChecked && missingAnswers) },
    },
    request,
    verification: { isNeeded: mustVerify, isDone: verification === "done", confirm: confirmVerified },
    hint: submitHint(mustVerify, people, plan),
    submit,
  };
}

/** Say what is missing before the session can be booked. */
function submitHint(mustVerify: boolean, people: PartyPerson[], plan: SeriesPlan): string {
  if (mustVerify) return "Please verify your email first.";
  const unsigned = people.filter(({ signer, isSigned }) => signer !== "link" && !isSigned);
  if (unsigned.some(({ signer }) => signer === "self")) return "Please accept the waiver first.";
  if (unsigned.length > 0) return "Please sign the waiver for each child first.";
  if (plan.isPending) return "We're looking for the times of the other sessions.";
  return plan.error === null ? "" : "Please load the times of the other sessions first.";
}

function bookingPayload(
  hold: Hold,
  draft: BookingDraft,
  name: string,
  people: PartyPerson[],
  used: number,
): BookingPayload {
  return {
    hold: hold.token,
    name: name.trim(),
    ...(hold.waiver.required
      ? {
          participants: people.map((person) => person.name),
          signers: people.map(({ signer, email }) => ({ signer, email })),
        }
      : { participants: draft.participants.map((one) => one.trim()).filter((one) => one !== "") }),
    note: draft.note.trim(),
    address: hold.place === "person" ? draft.address.trim() : "",
    answers: answersOf(hold.questions, draft.answers),
    ...(hold.package && used > 0 && { package: { id: hold.package.id, sessions: used * hold.party } }),
    policyDigest: hold.policyDigest,
    zone: viewerZone(),
  };
}

const focusField = (selector: string) => document.querySelector<HTMLElement>(selector)?.focus();
