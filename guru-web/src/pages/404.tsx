import { useEffect } from "react";

import { PlainHead } from "../components/layout/plain-head";
import { PlainPage } from "../components/layout/plain-page";

/** SPEC 2.4: unknown paths redirect to the home page. Usually the server does so; this page is for outages. */
export default function NotFound() {
  useEffect(() => {
    window.location.replace("/");
  }, []);
  return (
    <>
      <PlainHead title="Redirecting to the home page" />
      <PlainPage heading="Redirecting to the home page" action={{ href: "/", label: "Go to the home page" }} />
    </>
  );
}
