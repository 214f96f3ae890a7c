type StreamHandlers = {
  /** The number of the newest change. */
  onChange: (change: number) => void;
  onState: (isOpen: boolean) => void;
};

type Announcement = { change: number } | { open: boolean };

/** The leading tab says this often that the stream is open; without it, the others ask by themselves again. */
const SIGN_OF_LIFE_MS = 15_000;

/**
 * Follow the server's announcements of changes. One tab holds the stream and passes them on to the others; when it
 * closes, another one takes over. Returns a function that stops it.
 */
export function followStream(userId: string, { onChange, onState }: StreamHandlers): () => void {
  // Outside secure contexts there are no locks: then every tab asks by itself.
  if (!("locks" in navigator) || typeof BroadcastChannel === "undefined" || typeof EventSource === "undefined") {
    return () => undefined;
  }
  const channel = new BroadcastChannel(`porchlight.messages.${userId}`);
  const leading = new AbortController();
  let leave: () => void = () => undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  channel.onmessage = ({ data }: MessageEvent<Announcement>) => {
    if ("change" in data) onChange(data.change);
    const isOpen = !("open" in data) || data.open;
    onState(isOpen);
    clearTimeout(silence);
    if (isOpen) silence = setTimeout(() => onState(false), 3 * SIGN_OF_LIFE_MS);
  };

  function lead(): Promise<void> {
    const stream = new EventSource("/api/messages/stream");
    const announce = (announcement: Announcement) => {
      channel.postMessage(announcement);
      if ("change" in announcement) onChange(announcement.change);
      else onState(announcement.open);
    };
    stream.addEventListener("open", () => announce({ open: true }));
    stream.addEventListener("error", () => announce({ open: false }));
    stream.addEventListener("change", ({ data }: MessageEvent<string>) => {
      const change = changeOf(data);
      if (change !== null) announce({ change });
    });
    const signs = setInterval(() => {
      if (stream.readyState === EventSource.OPEN) announce({ open: true });
    }, SIGN_OF_LIFE_MS);
    return new Promise((resolve) => {
      leave = () => {
        clearInterval(signs);
        stream.close();
        resolve();
      };
    });
  }

  navigator.locks
    .request(`porchlight.messages.stream.${userId}`, { signal: leading.signal }, lead)
    .catch(() => undefined); // Stopped while it waited for its turn.

  return () => {
    leading.abort();
    leave();
    clearTimeout(silence);
    channel.close();
  };
}

function changeOf(data: string): number | null {
  try {
    const { change } = JSON.parse(data) as { change?: unknown };
    return typeof change === "number" ? change : null;
  } catch {
    return null;
  }
}
