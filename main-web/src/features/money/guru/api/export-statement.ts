import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { saveFile } from "@/lib/save-file";
import type { Account } from "./get-statement";

/** Download the statement of an account as a CSV file. */
export function useExportStatement() {
  return useMutation({
    mutationFn: (account: Account) => api.FILE("/guru/statement.csv", { params: { query: { account } } }),
    onSuccess: (file, account) => saveFile(file, `statement-${account}.csv`),
  });
}
