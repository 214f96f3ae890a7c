import { PlainHead } from "./plain-head";
import { PlainPage } from "./plain-page";

/** SPEC 2.4: the page for an unknown guru (404). */
export function GuruNotFound({ mainOrigin }: { mainOrigin: string }) {
  return (
    <>
      <PlainHead title="Guru Not Found" />
      <PlainPage heading="Guru Not Found" action={{ href: `${mainOrigin}/`, label: "Go to Main Site" }}>
        <p>There's no site at this address. Check the spelling.</p>
      </PlainPage>
    </>
  );
}
