type Note = { title: string; body: string; url: string; tag: string };

/** Read the note of a push message. One that we cannot read is still shown: browsers end silent subscriptions. */
export function readNote(text: string | undefined): Note {
  const note: Note = { title: "Porchlight", body: "There's news for you.", url: "/notifications", tag: "porchlight" };
  try {
    const read = JSON.parse(text ?? "") as Partial<Record<keyof Note, unknown>>;
    for (const name of ["title", "body", "url", "tag"] as const) {
      const value = read[name];
      if (typeof value === "string") note[name] = value;
    }
  } catch {
    // not ours, or an older form
  }
  return note;
}

/** Return the address that a note opens: a page of the main platform, or of a guru's site. */
export function targetOf(url: string, origin: string): string {
  try {
    const target = new URL(url, origin);
    return target.protocol === "https:" || target.origin === origin ? target.href : `${origin}/notifications`;
  } catch {
    return `${origin}/notifications`;
  }
}
