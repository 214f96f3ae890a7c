import { type SyntheticEvent, useEffect, useState } from "react";

import type { TimesProps } from "../../../lib/types";
import { createHold } from "../api/create-hold";

export type HoldStatus =
  | { kind: "choosing" }
  | { kind: "holding"; startsAt: string }
  | { kind: "failed"; code: string; message: string; startsAt: string | null };

/** Codes after which the list of times is outdated. */
const outdated = new Set(["slot_taken", "slot_gone", "session_full", "too_soon"]);

/** The form that keeps a time and continues on the main site. `onOutdated` loads the times again. */
export function useHoldForm({ site, service, form, formKey }: TimesProps, party: number, onOutdated: () => void) {
  const [status, setStatus] = useState<HoldStatus>(form === null ? { kind: "choosing" } : { kind: "failed", ...form });

  useEffect(() => {
    // The browser's back button may show this page as it was left.
    const onShow = (event: PageTransitionEvent) => {
      if (!event.persisted) return;
      setStatus({ kind: "choosing" });
      onOutdated();
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, [onOutdated]);

  async function hold(startsAt: string) {
    setStatus({ kind: "holding", startsAt });
    const result = await createHold(site.guru.subdomain, service.id, startsAt, party, formKey);
    if (result.kind === "held") {
      window.location.assign(`${site.mainOrigin}/book/${result.token}`);
      return;
    }
    setStatus({ kind: "failed", code: result.code, message: result.message, startsAt });
    if (outdated.has(result.code)) onOutdated();
  }

  const onSubmit = (event: SyntheticEvent<HTMLFormElement, SubmitEvent>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent;
    if (status.kind !== "holding" && submitter instanceof HTMLButtonElement) void hold(submitter.value);
  };

  return { status, onSubmit };
}
