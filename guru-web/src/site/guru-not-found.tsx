import Head from "next/head";

import { PlainPage } from "./plain-page";

/** SPEC 2.4: no such guru. */
export function GuruNotFound({ mainOrigin }: { mainOrigin: string }) {
  return (
    <>
      <PlainHead title="Guru Not Found" />
      <PlainPage heading="Guru Not Found" action={{ href: `${mainOrigin}/`, label: "Go to Main Site" }}>
        <p>Nobody keeps a porch at this address. The guru may have moved, or the address may have a slip in it.</p>
      </PlainPage>
    </>
  );
}

/** A site taken down by the platform: it answers 410. */
export function SiteSuspended({ mainOrigin }: { mainOrigin: string }) {
  return (
    <>
      <PlainHead title="This site is not available" />
      <PlainPage heading="This site is not available" action={{ href: `${mainOrigin}/`, label: "Go to Main Site" }}>
        <p>The guru’s site has been switched off.</p>
      </PlainPage>
    </>
  );
}

export function PlainHead({ title }: { title: string }) {
  return (
    <Head>
      <meta name="viewport" content="width=device-width, initial-scale=1" key="viewport" />
      <title>{title}</title>
      <meta name="description" content="A guru’s site on Porchlight, the neighbourhood skill-sharing marketplace." key="description" />
      <meta name="robots" content="noindex" key="robots" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" key="icon" />
    </Head>
  );
}
