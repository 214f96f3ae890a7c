import { useState, type MouseEvent } from "react";

import { Icon } from "../../../components/ui/icon";

/** Opens the device's share sheet; without one, copies the link. Without scripts, it starts an email. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  const [status, setStatus] = useState("");

  function handleClick(event: MouseEvent) {
    event.preventDefault();
    void share(title, url).then(setStatus);
  }

  return (
    <div className="share">
      <a
        className="button button-secondary"
        href={`mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(url)}`}
        onClick={handleClick}
      >
        <Icon name="share" />
        Share
      </a>
      <span className="share-status" role="status">
        {status}
      </span>
    </div>
  );
}

/** Share a page, and return what to tell the visitor. */
async function share(title: string, url: string): Promise<string> {
  // Some browsers lack these, or hide them from pages without TLS.
  const { share: openSheet, clipboard } = navigator as Partial<Pick<Navigator, "share" | "clipboard">>;
  if (openSheet !== undefined) {
    try {
      await openSheet.call(navigator, { title, url });
      return "";
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return "";
    }
  }
  try {
    if (clipboard === undefined) throw new Error("no clipboard");
    await clipboard.writeText(url);
    return "Link copied";
  } catch {
    return `Copy this link: ${url}`;
  }
}
