import Head from "next/head";

/** Head of a page without content of its own. Search engines don't index it. */
export function PlainHead({ title }: { title: string }) {
  return (
    <Head>
      <meta name="viewport" content="width=device-width, initial-scale=1" key="viewport" />
      <title>{title}</title>
      <meta
        name="description"
        content="A guru's site on Porchlight, the neighborhood skill-sharing marketplace."
        key="description"
      />
      <meta name="robots" content="noindex" key="robots" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" key="icon" />
    </Head>
  );
}
