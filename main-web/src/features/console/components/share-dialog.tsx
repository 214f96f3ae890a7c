import { Copy, ExternalLink, Printer, Share2 } from "lucide-react";
import { useRef, useState } from "react";
import { api } from "@/lib/api-client";
import { safeHref } from "@/lib/safe-href";
import { saveFile } from "@/lib/save-file";
import { toast } from "@/lib/toast-store";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, Select } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { errorMessage } from "@/lib/errors";
import type { MyGuru } from "../lib/types";
import { QrCode } from "./qr-code";
import styles from "./share-dialog.module.css";
import { displayUrl } from "@porchlight/shared/format/urls";

const COPY_FAILED = "We couldn't copy the link. It's selected now, so you can copy it yourself.";

type ShareDialogProps = { guru: MyGuru; open: boolean; onClose: () => void };

/** Shares a live site: open, copy, the device's share sheet, a QR code, and a flyer to print. */
export function ShareDialog({ guru, open, onClose }: ShareDialogProps) {
  const host = displayUrl(guru.address);
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title="Your site is live"
      description="Send the link to neighbors, or print a flyer to hang up."
    >
      <div className={styles.content}>
        <Links guru={guru} host={host} />
        <QrCode address={guru.address} host={host} />
        <Flyer label={guru.label} />
      </div>
    </Dialog>
  );
}

function Links({ guru, host }: { guru: MyGuru; host: string }) {
  const address = useRef<HTMLInputElement>(null);

  async function copy() {
    try {
      await navigator.clipboard.writeText(guru.address);
      toast.success("Link copied.");
    } catch {
      // Without permission, or on a connection that browsers don't trust.
      address.current?.select();
      toast.error(COPY_FAILED);
    }
  }

  async function share() {
    try {
      await navigator.share({ title: host, url: guru.address });
    } catch (reason) {
      const isCanceled = reason instanceof DOMException && reason.name === "AbortError";
      if (!isCanceled) toast.error("We couldn't open the share menu. Copy the link instead.");
    }
  }

  return (
    <>
      <Field label="Site address">
        <Input ref={address} readOnly value={guru.address} onFocus={(event) => event.target.select()} />
      </Field>
      <div className={styles.buttons}>
        <Button asChild>
          <a href={safeHref(guru.address)} target="_blank" rel="noopener">
            <ExternalLink size={16} aria-hidden="true" />
            Open site
            <span className="visually-hidden">(opens in a new tab)</span>
          </a>
        </Button>
        <Button variant="secondary" onClick={() => void copy()}>
          <Copy size={16} aria-hidden="true" />
          Copy link
        </Button>
        {"share" in navigator && (
          <Button variant="secondary" onClick={() => void share()}>
            <Share2 size={16} aria-hidden="true" />
            Share
          </Button>
        )}
      </div>
    </>
  );
}

function Flyer({ label }: { label: string }) {
  const [paper, setPaper] = useState<"letter" | "a5">("letter");
  const [state, setState] = useState<{ busy: boolean; error: string }>({ busy: false, error: "" });

  async function download() {
    setState({ busy: true, error: "" });
    try {
      saveFile(await api.FILE("/guru/flyer", { params: { query: { paper } } }), `${label}-flyer.pdf`);
      setState({ busy: false, error: "" });
    } catch (reason) {
      setState({ busy: false, error: errorMessage(reason) });
    }
  }

  return (
    <div className={styles.flyer}>
      <Field label="Flyer size">
        <Select value={paper} onChange={(event) => setPaper(event.target.value === "a5" ? "a5" : "letter")}>
          <option value="letter">Letter</option>
          <option value="a5">A5</option>
        </Select>
      </Field>
      <Button variant="secondary" loading={state.busy} onClick={() => void download()}>
        {!state.busy && <Printer size={16} aria-hidden="true" />}
        Download flyer
      </Button>
      {state.error && <Notice tone="danger">{state.error}</Notice>}
    </div>
  );
}
