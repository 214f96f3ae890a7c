import { House, RotateCw } from "lucide-react";
import { useEffect, useState } from "react";
import { isRouteErrorResponse, Link, Navigate, useLocation, useRouteError } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Splash } from "@/components/ui/splash";
import { PageHead } from "@/components/layout/page-head";
import { keepTypedText } from "@/lib/typed-text";
import { isMissingFile, isOutdated, loadRelease, mayLeaveRelease, whenReachable } from "../new-release";
import styles from "./route-error.module.css";

/** The error page, with a retry button and a link home. */
export function RouteError() {
  const reason = useRouteError();
  const { pathname } = useLocation();
  // In its first render, the page that broke is still in the document.
  useState(() => {
    if (document.querySelector<HTMLElement>("main")?.dataset.page === pathname) keepTypedText(pathname);
  });
  // The path is malformed, so that not even the catch-all route matches it (SPEC 2.2).
  if (isRouteErrorResponse(reason) && reason.status === 404) return <Navigate to={paths.home} replace />;
  return isMissingFile(reason) ? <MissingFile reason={reason} /> : <Broken reason={reason} message={BROKEN} />;
}

type Message = { mark: string; title: string; text: string };

const BROKEN: Message = {
  mark: "Error",
  title: "Something went wrong",
  text: "It's our fault, not yours. Try again, or go back to the home page.",
};
const OFFLINE: Message = {
  mark: "Offline",
  title: "You're offline",
  text: "This page isn't stored on this device. It opens when you're back online.",
};
const UNREACHABLE: Message = {
  mark: "Connection",
  title: "This page didn't load",
  text: "Please check your connection, then try again.",
};
const UPDATED: Message = {
  mark: "New version",
  title: "Porchlight has been updated",
  text: "This tab is running an older version. Try again to load the new one.",
};

type State = "checking" | "offline" | "unreachable" | "updated";

/** A file of the app is missing: load the page in the release that replaced it, or say what is in the way. */
function MissingFile({ reason }: { reason: unknown }) {
  const [state, setState] = useState<State>(navigator.onLine ? "checking" : "offline");
  useEffect(() => {
    if (state !== "checking") return;
    let isShown = true;
    void isOutdated().then((outdated) => {
      if (!isShown) return;
      if (outdated && mayLeaveRelease()) void loadRelease();
      else setState(outdated ? "updated" : navigator.onLine ? "unreachable" : "offline");
    });
    return () => {
      isShown = false;
    };
  }, [state]);
  useEffect(() => {
    if (state !== "offline") return;
    const stop = new AbortController();
    const { signal } = stop;
    const tryAgain = () => void whenReachable(signal).then(() => signal.aborted || window.location.reload());
    window.addEventListener("online", tryAgain, { signal });
    return () => stop.abort();
  }, [state]);

  if (state === "checking") return <Splash message="Loading the newest version..." />;
  if (state === "updated") return <Broken reason={reason} message={UPDATED} load={loadRelease} />;
  return <Broken reason={reason} message={state === "offline" ? OFFLINE : UNREACHABLE} />;
}

type BrokenProps = {
  reason: unknown;
  message: Message;
  /** Loads a page; by default as the browser does. */
  load?: (href?: string) => Promise<void>;
};

function Broken({ reason, message, load }: BrokenProps) {
  useEffect(() => console.error(reason), [reason]);
  return (
    <PageHead title={message.title} description={message.text}>
      <div className={styles.box} role="alert">
        <p className={styles.code}>{message.mark}</p>
        <h1 className={styles.title}>{message.title}</h1>
        <p className={styles.text}>{message.text}</p>
        <div className={styles.actions}>
          <Button onClick={() => (load ? void load() : window.location.reload())}>
            <RotateCw size={16} aria-hidden="true" />
            Try again
          </Button>
          <Button asChild variant="secondary">
            <Link
              to={paths.home}
              reloadDocument
              onClick={(event) => {
                if (!load) return;
                event.preventDefault();
                void load(window.location.origin + paths.home);
              }}
            >
              <House size={16} aria-hidden="true" />
              Back to home
            </Link>
          </Button>
        </div>
      </div>
    </PageHead>
  );
}
