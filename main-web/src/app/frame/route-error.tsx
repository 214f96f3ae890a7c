import { House, RotateCw } from "lucide-react";
import { useEffect } from "react";
import { isRouteErrorResponse, Link, Navigate, useRouteError } from "react-router-dom";
import { paths } from "../paths";
import { Button } from "../../ui/button";
import { Page } from "../../ui/page";
import styles from "./route-error.module.css";

/** What stands in for a screen that broke, with a way on: try again, or go home. */
export function RouteError() {
  const reason = useRouteError();
  // An unknown path (SPEC 2.2), written so oddly that even the route for all others does not match it.
  if (isRouteErrorResponse(reason) && reason.status === 404) return <Navigate to={paths.home} replace />;
  return <Broken reason={reason} />;
}

function Broken({ reason }: { reason: unknown }) {
  useEffect(() => console.error(reason), [reason]);
  const words = explain(reason);
  return (
    <Page title={words.title} description={words.text}>
      <div className={styles.box} role="alert">
        <p className={styles.code}>{words.mark}</p>
        <h1 className={styles.title}>{words.title}</h1>
        <p className={styles.text}>{words.text}</p>
        <div className={styles.actions}>
          <Button onClick={() => window.location.reload()}>
            <RotateCw size={16} aria-hidden="true" />
            Reload this page
          </Button>
          <Button asChild variant="secondary">
            <Link to={paths.home} reloadDocument>
              <House size={16} aria-hidden="true" />
              Back to home
            </Link>
          </Button>
        </div>
      </div>
    </Page>
  );
}

function explain(reason: unknown) {
  if (!navigator.onLine) {
    return {
      mark: "Offline",
      title: "You are offline",
      text: "This page has not been opened on this device before. It will be here once the connection is back.",
    };
  }
  if (isMissingChunk(reason)) {
    return {
      mark: "New version",
      title: "Porchlight has been updated",
      text: "This tab still runs the version from before. Reload the page to go on.",
    };
  }
  return {
    mark: "Something broke",
    title: "This page stumbled on the doorstep",
    text: "The fault is ours, not yours. Reload the page, or go home and take another way.",
  };
}

/** A lazy route whose file is gone, because a newer version has been put in its place. */
function isMissingChunk(reason: unknown): boolean {
  return (
    reason instanceof Error &&
    /dynamically imported module|importing a module script|preload CSS/i.test(reason.message)
  );
}
