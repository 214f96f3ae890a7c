import { Share2 } from "lucide-react";
import { useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { isSiteJustLive } from "@/lib/site-live";
import { Button } from "@/components/ui/button";
import type { MyGuru } from "../lib/types";
import { ShareDialog } from "./share-dialog";

/** A button that shares a live site. Right after publishing, its dialog is open. */
export function ShareButton({ guru }: { guru: MyGuru }) {
  const [pressed, setPressed] = useState(false);
  const location = useLocation();
  const navigate = useNavigate();
  const isJustLive = isSiteJustLive(location);
  if (guru.status !== "active") return null;

  function close() {
    setPressed(false);
    // So that a reload or the way back does not open it again.
    if (isJustLive) void navigate(location.pathname + location.search, { replace: true, state: null });
  }

  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setPressed(true)}>
        <Share2 size={16} aria-hidden="true" />
        Share
      </Button>
      <ShareDialog guru={guru} open={pressed || isJustLive} onClose={close} />
    </>
  );
}
