import { Sparkles } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { watchForUpdate, type Update } from "../service-worker-updates";
import styles from "./update-prompt.module.css";

/** Offer a newer version once it is downloaded; it is applied only when the user agrees. */
export function UpdatePrompt() {
  const [update, setUpdate] = useState<Update | null>(null);
  useEffect(() => watchForUpdate(setUpdate), []);
  return (
    <div role="status">
      {update && (
        <div className={styles.prompt}>
          <Sparkles size={18} aria-hidden="true" />
          <p className={styles.text}>A new version of Porchlight is available.</p>
          <Button size="sm" variant="ghost" onClick={() => setUpdate(null)}>
            Later
          </Button>
          <Button size="sm" onClick={() => update.apply()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
