import { Download } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { toast } from "@/lib/toast-store";
import { downloadReceipt } from "../api/download-receipt";

type ReceiptButtonProps = {
  waiverId: string;
  /** What the waiver is for, for screen readers. */
  title: string;
};

/** Downloads the receipt of a waiver. */
export function ReceiptButton({ waiverId, title }: ReceiptButtonProps) {
  const [isLoading, setIsLoading] = useState(false);

  async function download() {
    setIsLoading(true);
    try {
      await downloadReceipt(waiverId);
    } catch (reason) {
      toast.error(reason instanceof Error ? reason.message : "We couldn't download the receipt.");
    } finally {
      setIsLoading(false);
    }
  }

  return (
    <Button
      variant="secondary"
      size="sm"
      loading={isLoading}
      onClick={() => void download()}
      aria-label={`Download receipt: ${title}`}
    >
      {!isLoading && <Download size={16} aria-hidden="true" />}
      Download receipt
    </Button>
  );
}
