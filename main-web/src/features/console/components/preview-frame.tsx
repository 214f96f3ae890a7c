import { Monitor, Smartphone } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { safeHref } from "@/lib/safe-href";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { errorMessage } from "@/lib/errors";
import { createPreview, type PreviewRequest } from "../api/create-preview";
import styles from "./preview.module.css";

/** Milliseconds without changes until the preview is updated. */
const DEBOUNCE_MS = 500;
const WIDTHS = { desktop: 1200, phone: 390 };

type Device = keyof typeof WIDTHS;
type PreviewMessage = { preview?: unknown; y?: unknown };

/** The real page with unsaved changes, in a frame on the guru's own host; its links are disabled. */
export function PreviewFrame({
  of,
  title,
  device: first = "desktop",
}: {
  of: PreviewRequest;
  title: string;
  device?: Device;
}) {
  const [device, setDevice] = useState<Device>(() => (window.innerWidth < 700 ? "phone" : first));
  const [latestUrl, setLatestUrl] = useState<string | null>(null);
  // A new page loads behind the visible one and replaces it when it is ready, so that nothing flashes.
  const [visibleUrl, setVisibleUrl] = useState<string | null>(null);
  const [error, setError] = useState("");
  const [box, width] = useWidth();
  const frames = useRef(new Map<string, HTMLIFrameElement>());
  const scrollTop = useRef(0);
  const requestJson = JSON.stringify(of);

  useEffect(() => {
    const abort = new AbortController();
    const timer = window.setTimeout(() => {
      createPreview(JSON.parse(requestJson) as PreviewRequest, abort.signal).then(
        (previewUrl) => {
          setError("");
          setLatestUrl(`${previewUrl}#y=${scrollTop.current}`);
        },
        (reason: unknown) => {
          if (!abort.signal.aborted) setError(errorMessage(reason));
        },
      );
    }, DEBOUNCE_MS);
    return () => {
      window.clearTimeout(timer);
      abort.abort();
    };
  }, [requestJson]);

  useEffect(() => {
    const handleMessage = (event: MessageEvent<PreviewMessage>) => {
      const from = [...frames.current].find(([, frame]) => frame.contentWindow === event.source)?.[0];
      if (from === undefined || typeof event.data !== "object") return;
      if (event.data.preview === "ready") setVisibleUrl(from);
      if (event.data.preview === "scrolled" && typeof event.data.y === "number")
        scrollTop.current = Math.max(0, Math.round(event.data.y));
    };
    window.addEventListener("message", handleMessage);
    return () => window.removeEventListener("message", handleMessage);
  }, []);

  const scale = Math.min(1, width / WIDTHS[device]);
  const frameUrls = [...new Set([visibleUrl, latestUrl])].filter((frameUrl) => frameUrl !== null);
  return (
    <div className={styles.preview}>
      <div className={styles.tools}>
        <p className={styles.caption}>Preview (only you can see this)</p>
        <div className={styles.devices} role="group" aria-label="Preview width">
          <DeviceButton device="desktop" selected={device} onChoose={setDevice} />
          <DeviceButton device="phone" selected={device} onChoose={setDevice} />
        </div>
      </div>
      {error && <Notice tone="danger">We couldn't load the preview. {error}</Notice>}
      <div ref={box} className={styles.box} aria-busy={visibleUrl !== latestUrl}>
        {frameUrls.length === 0 && <Skeleton height="100%" radius="md" />}
        {frameUrls.map((frameUrl) => (
          <iframe
            key={frameUrl}
            ref={(frame) => {
              if (frame) frames.current.set(frameUrl, frame);
              else frames.current.delete(frameUrl);
            }}
            title={frameUrl === visibleUrl ? title : "Loading preview"}
            src={safeHref(frameUrl)}
            sandbox="allow-scripts allow-same-origin"
            referrerPolicy="no-referrer"
            className={styles.frame}
            aria-hidden={frameUrl !== visibleUrl}
            tabIndex={frameUrl === visibleUrl ? 0 : -1}
            style={{
              width: WIDTHS[device],
              height: `${100 / scale}%`,
              transform: `scale(${scale})`,
              left: Math.max(0, (width - WIDTHS[device] * scale) / 2),
              visibility: frameUrl === visibleUrl ? "visible" : "hidden",
            }}
          />
        ))}
      </div>
    </div>
  );
}

function DeviceButton({
  device,
  selected,
  onChoose,
}: {
  device: Device;
  selected: Device;
  onChoose: (device: Device) => void;
}) {
  const Icon = device === "desktop" ? Monitor : Smartphone;
  return (
    <button type="button" className={styles.device} aria-pressed={device === selected} onClick={() => onChoose(device)}>
      <Icon size={16} aria-hidden="true" />
      {device === "desktop" ? "Desktop" : "Phone"}
    </button>
  );
}

/** Track an element's width in pixels. */
function useWidth(): [(element: HTMLDivElement | null) => void, number] {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width || 320];
}
