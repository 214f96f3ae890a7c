import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { toast } from "@/lib/toast-store";
import { Button } from "./button";

/** Copies a text. `what` names it for screen readers, such as "the value". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [copied, setCopied] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(text);
    } catch {
      // Browsers have no clipboard on plain http, and may refuse it.
      toast.error("Your browser didn't copy it. Select the text and copy it.");
    }
  };
  const done = copied === text;
  return (
    <Button variant="secondary" size="sm" onClick={() => void copy()}>
      {done ? <Check size={15} aria-hidden="true" /> : <Copy size={15} aria-hidden="true" />}
      <span aria-live="polite">{done ? "Copied" : "Copy"}</span> <span className="visually-hidden">{what}</span>
    </Button>
  );
}
