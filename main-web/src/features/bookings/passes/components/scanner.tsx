import { useEffect, useRef, useState } from "react";
import { paths } from "@/config/paths";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { createDetector } from "../lib/barcode-detector";
import styles from "./passes.module.css";

const EVERY_MS = 150;
/** A pass that stays before the camera counts once. */
const SAME_AGAIN_MS = 4_000;

type CameraState = "starting" | "on" | "denied" | "missing" | "broken";

const TEXTS: Record<Exclude<CameraState, "starting" | "on">, string> = {
  denied: "Porchlight may not use the camera. Allow it in your browser's settings, or type the code.",
  missing: "We found no camera on this device. Type the code or tap a name.",
  broken: "The camera didn't start. Close other apps that use it and try again, or type the code.",
};

type ScannerProps = { onText: (text: string) => Promise<void>; onClose: () => void };

/** The camera, which reads passes one after another. */
export function Scanner({ onText, onClose }: ScannerProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>("starting");
  const read = useRef(onText);
  useEffect(() => void (read.current = onText), [onText]);

  useEffect(() => {
    const stop = new AbortController();
    const isStopped = () => stop.signal.aborted;
    const run = async (element: HTMLVideoElement) => {
      const stream = await openCamera();
      stop.signal.addEventListener("abort", () => stream.getTracks().forEach((track) => track.stop()));
      if (isStopped()) {
        stream.getTracks().forEach((track) => track.stop());
        return;
      }
      element.srcObject = stream;
      const [detector] = await Promise.all([createDetector(), element.play()]);
      setState("on");
      const seen = new Map<string, number>();
      while (!isStopped()) {
        // A frame that can't be read is followed by others.
        const codes = await detector.detect(element).catch(() => []);
        for (const { rawValue } of codes) {
          const isNew = Date.now() - (seen.get(rawValue) ?? 0) > SAME_AGAIN_MS;
          seen.set(rawValue, Date.now());
          if (isNew && !isStopped()) await read.current(rawValue);
        }
        await new Promise((next) => setTimeout(next, EVERY_MS));
      }
    };
    if (video.current) run(video.current).catch((reason: unknown) => !isStopped() && setState(stateOf(reason)));
    return () => stop.abort();
  }, []);

  return (
    <section className={styles.camera} aria-label="Camera">
      {(state === "starting" || state === "on") && (
        <>
          <video ref={video} className={styles.video} muted playsInline aria-label="Picture of the camera" />
          <p role="status">{state === "on" ? "Hold a pass in front of the camera." : "Starting the camera..."}</p>
        </>
      )}
      {state !== "starting" && state !== "on" && <Notice tone="danger">{TEXTS[state]}</Notice>}
      <div>
        <Button variant="secondary" onClick={onClose}>
          Stop the camera
        </Button>
      </div>
    </section>
  );
}

/**
 * Tell whether this document may use the camera. Only one that was loaded at this page's address may; navigating inside
 * the app keeps the document of the page before.
 */
export function mayUseCamera(): boolean {
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature: (name: string) => boolean } };
  return featurePolicy?.allowsFeature("camera") ?? true;
}

/** Load the page again so that it may use the camera, and start it. */
export function reloadForCamera() {
  window.location.assign(`${paths.guruCheckIn}?camera=on`);
}

async function openCamera(): Promise<MediaStream> {
  const devices = (navigator as Partial<Navigator>).mediaDevices;
  if (!devices) throw new DOMException("This browser has no camera.", "NotFoundError");
  return devices.getUserMedia({ video: { facingMode: "environment" }, audio: false });
}

function stateOf(reason: unknown): CameraState {
  const name = reason instanceof DOMException ? reason.name : "";
  if (name === "NotAllowedError" || name === "SecurityError") return "denied";
  return name === "NotFoundError" || name === "OverconstrainedError" ? "missing" : "broken";
}
