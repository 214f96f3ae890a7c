import { infiniteQueryOptions, useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";
import { saveFile } from "@/lib/save-file";
import { useConsoleUserId } from "@/lib/use-console-user-id";
import type { Invoice } from "../lib/types";

const invoicesQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: ["guru", userId, "invoices"],
    queryFn: ({ signal, pageParam }) => api.GET("/guru/invoices", { params: { query: { cursor: pageParam } }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap((page) => page.items),
    staleTime: 0,
  });

/** List the invoices in the guru's name, the latest first, a page at a time. */
export function useInvoices() {
  return useInfiniteQuery(invoicesQuery(useConsoleUserId()));
}

/** Download an invoice as a PDF. */
export function useInvoicePdf() {
  return useMutation({
    mutationFn: ({ id }: Invoice) =>
      api.FILE("/guru/invoices/{invoice_id}/invoice.pdf", { params: { path: { invoice_id: id } } }),
    onSuccess: (file, { number }) => saveFile(file, `invoice-${number}.pdf`),
  });
}
