import { Sparkles } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { watchForUpdate } from "../service-worker-updates";
import styles from "./update-prompt.module.css";

/** Offer a newer version once it is downloaded; the page is loaded again only when the user agrees. */
export function UpdatePrompt() {
  const [isOffered, setIsOffered] = useState(false);
  useEffect(() => watchForUpdate(() => setIsOffered(true)), []);
  return (
    <div role="status">
      {isOffered && (
        <div className={styles.prompt}>
          <Sparkles size={18} aria-hidden="true" />
          <p className={styles.text}>A new version of Porchlight is available.</p>
          <Button size="sm" variant="ghost" onClick={() => setIsOffered(false)}>
            Later
          </Button>
          <Button size="sm" onClick={() => window.location.reload()}>
            Reload
          </Button>
        </div>
      )}
    </div>
  );
}
