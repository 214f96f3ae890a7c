import { api } from "@/lib/api-client";
import { toast } from "@/lib/toast-store";
import type { AdminDocument } from "./get-pending-documents";

/** Record that staff opened an external link. The server records uploads itself. */
export function recordDocumentAccess(document: AdminDocument) {
  if (document.file_kind) return;
  api
    .POST("/documents/{uid}/{id}/openings", { params: { path: { uid: document.uid, id: document.id } } })
    .catch((reason: unknown) => {
      console.warn("Couldn't record that a document was opened.", reason);
      // The audit log must have each opening. Opening the document again sends it again.
      toast.error("We couldn't record that you opened this document. Please open it again.");
    });
}
