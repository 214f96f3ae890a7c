import { PlainHead } from "./plain-head";
import { PlainPage } from "./plain-page";

/** The page for a site suspended by the platform (410). */
export function SiteSuspended({ mainOrigin }: { mainOrigin: string }) {
  return (
    <>
      <PlainHead title="This site is unavailable" />
      <PlainPage heading="This site is unavailable" action={{ href: `${mainOrigin}/`, label: "Go to Main Site" }}>
        <p>This site is offline right now.</p>
      </PlainPage>
    </>
  );
}
