import { useEffect } from "react";

import { PlainHead } from "../site/guru-not-found";
import { PlainPage } from "../site/plain-page";

/** SPEC 2.4: unknown paths go to the home page. The server says so first; this is for when it could not. */
export default function NotFound() {
  useEffect(() => {
    window.location.replace("/");
  }, []);
  return (
    <>
      <PlainHead title="Taking you to the home page" />
      <PlainPage heading="Taking you to the home page" action={{ href: "/", label: "Go to the home page" }} />
    </>
  );
}
