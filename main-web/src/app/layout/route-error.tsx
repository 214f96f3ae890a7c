import { House, RotateCw } from "lucide-react";
import { useEffect } from "react";
import { isRouteErrorResponse, Link, Navigate, useRouteError } from "react-router-dom";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Page } from "@/components/layout/page";
import styles from "./route-error.module.css";

/** The error page, with a retry button and a link home. */
export function RouteError() {
  const reason = useRouteError();
  // The path is malformed, so that not even the catch-all route matches it (SPEC 2.2).
  if (isRouteErrorResponse(reason) && reason.status === 404) return <Navigate to={paths.home} replace />;
  return <Broken reason={reason} />;
}

function Broken({ reason }: { reason: unknown }) {
  useEffect(() => console.error(reason), [reason]);
  const message = explain(reason);
  return (
    <Page title={message.title} description={message.text}>
      <div className={styles.box} role="alert">
        <p className={styles.code}>{message.mark}</p>
        <h1 className={styles.title}>{message.title}</h1>
        <p className={styles.text}>{message.text}</p>
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
      title: "You're offline",
      text: "You haven't opened this page on this device before. Try again when you're back online.",
    };
  }
  if (isMissingChunk(reason)) {
    return {
      mark: "New version",
      title: "Porchlight has been updated",
      text: "This tab is running an older version. Reload the page to continue.",
    };
  }
  return {
    mark: "Error",
    title: "Something went wrong",
    text: "It's our fault, not yours. Reload the page or go back to the home page.",
  };
}

/** Tell whether a lazy route failed to load because a newer version replaced its file. */
function isMissingChunk(reason: unknown): boolean {
  return (
    reason instanceof Error && /dynamically imported module|importing a module script|preload CSS/i.test(reason.message)
  );
}
