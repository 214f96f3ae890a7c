import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api } from "../../kit/api";
import { documentsQuery } from "./get-documents";
import { useUid, type DocumentBody, type Paper } from "./own";
import { postFile } from "./post-file";

type Sent = {
  body: DocumentBody;
  file: File | null;
  /** Told how much of the file has been sent, 0 to 1. */
  onProgress: (part: number) => void;
};

/** Sends a document in, its file first. A file that arrived is not sent again when only the rest was refused. */
export function usePostDocument() {
  const queries = useQueryClient();
  const uid = useUid();
  const arrived = useRef<{ file: File; id: string } | null>(null);
  return useMutation({
    mutationFn: async ({ body, file, onProgress }: Sent) => {
      if (file && arrived.current?.file !== file) arrived.current = { file, id: (await postFile(file, onProgress)).id };
      const document = file && arrived.current ? { ...body, file_id: arrived.current.id } : body;
      return api.post<Paper>("/onboarding/documents", { body: document });
    },
    onSuccess: () => {
      arrived.current = null;
      void queries.invalidateQueries({ queryKey: documentsQuery(uid).queryKey });
      void queries.invalidateQueries({ queryKey: ["onboarding", uid] });
    },
    onError: () => void queries.invalidateQueries({ queryKey: documentsQuery(uid).queryKey }),
  });
}
