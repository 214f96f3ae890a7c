import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api } from "@/lib/api-client";
import { useCurrentUserId } from "@/lib/use-current-user-id";
import { documentsQuery } from "./get-documents";
import type { DocumentBody } from "../lib/types";
import { uploadDocumentFile } from "./upload-document-file";

type Sent = {
  body: DocumentBody;
  file: File | null;
  /** Called with the part of the file sent so far, 0 to 1. */
  onProgress: (part: number) => void;
};

/** Upload a document: the file first, then its data. An uploaded file is not sent again if its data was rejected. */
export function useCreateDocument() {
  const queries = useQueryClient();
  const uid = useCurrentUserId();
  const arrived = useRef<{ file: File; id: string } | null>(null);
  return useMutation({
    mutationFn: async ({ body, file, onProgress }: Sent) => {
      if (file && arrived.current?.file !== file)
        arrived.current = { file, id: (await uploadDocumentFile(file, onProgress)).id };
      const document = file && arrived.current ? { ...body, file_id: arrived.current.id } : body;
      return api.POST("/onboarding/documents", { body: document });
    },
    onSuccess: () => {
      arrived.current = null;
      void queries.invalidateQueries({ queryKey: documentsQuery(uid).queryKey });
      void queries.invalidateQueries({ queryKey: ["onboarding", uid] });
    },
    onError: () => void queries.invalidateQueries({ queryKey: documentsQuery(uid).queryKey }),
  });
}
