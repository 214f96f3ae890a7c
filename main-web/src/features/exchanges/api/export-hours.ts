import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { saveFile } from "@/lib/save-file";

/** Download the statement of hours as a CSV file. */
export function useExportHours() {
  return useMutation({
    mutationFn: () => api.FILE("/hours/statement.csv"),
    onSuccess: (file) => saveFile(file, "hours.csv"),
  });
}
