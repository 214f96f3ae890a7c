import { useEffect, useRef, useState } from "react";
import { generatePath, useNavigate } from "react-router-dom";
import { paths } from "@/config/paths";
import { createIdempotencyKey } from "@/lib/create-idempotency-key";
import { useProfile } from "@/lib/session/get-profile";
import type { SignedInUser } from "@/lib/session/session-context";
import { useStableWhileFocused } from "@/lib/use-stable-while-focused";
import { useBuyPackage } from "../api/buy-package";
import { readNameDraft, saveNameDraft } from "./package-name-draft";
import type { SoldPackage } from "./package-texts";
import { ApiError, fieldErrors } from "@porchlight/shared/client";

type PackageFormOptions = { label: string; item: SoldPackage; user: SignedInUser };

/** The state of the form that buys a package: the name, what is missing, and the request that opens Stripe's page. */
export function usePackageForm({ label, item, user }: PackageFormOptions) {
  const navigate = useNavigate();
  const profile = useProfile();
  const buy = useBuyPackage(label, item.id);
  const [draft, setDraft] = useState(() => readNameDraft(label, item.id));
  const [missingName, setMissingName] = useState("");
  const [verification, setVerification] = useState<"refused" | "done" | null>(null);
  const profileName = useStableWhileFocused(profile.data?.displayName || user.displayName);
  // Of one purchase: a double click, or a retry after an unclear answer, sends the same key.
  const key = useRef("");
  const name = draft ?? profileName.shown;
  // The identity provider may say it later than the page was opened.
  const mustVerify = verification === "refused" || (verification === null && !user.emailVerified);

  // Browsers may show this page again as it was left, with a button that still waits for Stripe's page.
  const { reset } = buy;
  useEffect(() => {
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      key.current = "";
      reset();
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, [reset]);

  function change(typed: string) {
    setDraft(typed);
    saveNameDraft(label, item.id, typed);
    setMissingName("");
    key.current = "";
    buy.reset();
  }

  function submit() {
    if (name.trim() === "") {
      setMissingName("Enter your name");
      focusName();
      return;
    }
    key.current ||= createIdempotencyKey();
    buy.mutate(
      { name: name.trim(), priceCents: item.priceCents, idempotencyKey: key.current },
      {
        onSuccess: ({ id, url }) => {
          if (url !== "") window.location.assign(url);
          // It waits for Stripe's page, and says what became of the purchase.
          else void navigate(generatePath(paths.boughtPackage, { id }));
        },
        onError: (reason) => {
          const isRefused = reason instanceof ApiError && reason.status >= 400 && reason.status < 500;
          if (isRefused) key.current = "";
          if (reason instanceof ApiError && reason.code === "email_unverified") setVerification("refused");
          if (fieldErrors(reason).name) focusName();
        },
      },
    );
  }

  return {
    name,
    nameHandlers: profileName.handlers,
    nameError: missingName || fieldErrors(buy.error).name,
    change,
    submit,
    error: buy.error,
    /** The price that was sent last, in cents. */
    sentCents: buy.variables?.priceCents ?? null,
    // Afterwards the page is about to leave.
    isPending: buy.isPending || buy.isSuccess,
    verification: {
      isNeeded: mustVerify,
      isDone: verification === "done",
      confirm: () => {
        setVerification("done");
        buy.reset();
      },
    },
  };
}

const focusName = () => document.querySelector<HTMLElement>("input[name=name]")?.focus();
