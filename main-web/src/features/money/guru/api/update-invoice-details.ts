import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { InvoiceParty } from "../lib/types";
import { invoiceDetailsQuery } from "./get-invoice-details";

/** Change what the guru's next invoices say about the guru. */
export function useUpdateInvoiceDetails() {
  const queries = useQueryClient();
  const { queryKey } = invoiceDetailsQuery(useConsoleUserId());
  return useMutation({
    mutationFn: (body: InvoiceParty) => api.PUT("/guru/invoice-details", { body }),
    onSuccess: (saved) => queries.setQueryData(queryKey, saved),
  });
}
