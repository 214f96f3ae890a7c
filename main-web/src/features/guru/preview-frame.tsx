import { Monitor, Smartphone } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { safeHref } from "../../kit/safe-href";
import { Notice } from "../../ui/notice";
import { Skeleton } from "../../ui/skeleton";
import { postPreview, type PreviewOf } from "./post-preview";
import styles from "./preview.module.css";
import { why } from "./words";

/** Milliseconds of rest after which a change is drawn. */
const REST = 500;
const WIDTHS = { desktop: 1200, phone: 390 };

type Device = keyof typeof WIDTHS;
type Said = { preview?: unknown; y?: unknown };

/** The real page with unsaved changes, in a frame of the guru's own host; nothing in it leads anywhere. */
export function PreviewFrame({ of, title, device: first = "desktop" }: { of: PreviewOf; title: string; device?: Device }) {
  const [device, setDevice] = useState<Device>(() => (window.innerWidth < 700 ? "phone" : first));
  const [address, setAddress] = useState<string | null>(null);
  // A new page loads behind the one that is shown, and takes its place when it is ready: nothing flashes.
  const [shown, setShown] = useState<string | null>(null);
  const [fault, setFault] = useState("");
  const [box, width] = useWidth();
  const frames = useRef(new Map<string, HTMLIFrameElement>());
  const scrolled = useRef(0);
  const wanted = JSON.stringify(of);

  useEffect(() => {
    const abort = new AbortController();
    const timer = window.setTimeout(() => {
      postPreview(JSON.parse(wanted) as PreviewOf, abort.signal).then(
        (made) => {
          setFault("");
          setAddress(`${made}#y=${scrolled.current}`);
        },
        (reason: unknown) => {
          if (!abort.signal.aborted) setFault(why(reason));
        },
      );
    }, REST);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [wanted]);

  useEffect(() => {
    const hear = (event: MessageEvent<Said>) => {
      const from = [...frames.current].find(([, frame]) => frame.contentWindow === event.source)?.[0];
      if (from === undefined || typeof event.data !== "object") return;
      if (event.data.preview === "ready") setShown(from);
      if (event.data.preview === "scrolled" && typeof event.data.y === "number") scrolled.current = Math.max(0, Math.round(event.data.y));
    };
    window.addEventListener("message", hear);
    return () => window.removeEventListener("message", hear);
  }, []);

  const scale = Math.min(1, width / WIDTHS[device]);
  const kept = [...new Set([shown, address])].filter((each) => each !== null);
  return (
    <div className={styles.preview}>
      <div className={styles.tools}>
        <p className={styles.caption}>Preview · not saved yet, and seen by you alone</p>
        <div className={styles.devices} role="group" aria-label="Preview width">
          <DeviceButton device="desktop" now={device} onChoose={setDevice} />
          <DeviceButton device="phone" now={device} onChoose={setDevice} />
        </div>
      </div>
      {fault && <Notice tone="danger">The preview could not be drawn. {fault}</Notice>}
      <div ref={box} className={styles.box} aria-busy={shown !== address}>
        {kept.length === 0 && <Skeleton height="100%" radius="md" />}
        {kept.map((each) => (
          <iframe
            key={each}
            ref={(frame) => {
              if (frame) frames.current.set(each, frame);
              else frames.current.delete(each);
            }}
            title={each === shown ? title : "Preview that is being drawn"}
            src={safeHref(each)}
            sandbox="allow-scripts allow-same-origin"
            referrerPolicy="no-referrer"
            className={styles.frame}
            aria-hidden={each !== shown}
            tabIndex={each === shown ? 0 : -1}
            style={{
              width: WIDTHS[device],
              height: `${100 / scale}%`,
              transform: `scale(${scale})`,
              left: Math.max(0, (width - WIDTHS[device] * scale) / 2),
              visibility: each === shown ? "visible" : "hidden",
            }}
          />
        ))}
      </div>
    </div>
  );
}

function DeviceButton({ device, now, onChoose }: { device: Device; now: Device; onChoose: (device: Device) => void }) {
  const Icon = device === "desktop" ? Monitor : Smartphone;
  return (
    <button type="button" className={styles.device} aria-pressed={device === now} onClick={() => onChoose(device)}>
      <Icon size={16} aria-hidden="true" />
      {device === "desktop" ? "Desktop" : "Phone"}
    </button>
  );
}

/** An element's width in pixels, as it changes. */
function useWidth(): [(element: HTMLDivElement | null) => void, number] {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return;
    const look = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    look.observe(element);
    return () => look.disconnect();
  }, [element]);
  return [setElement, width || 320];
}
