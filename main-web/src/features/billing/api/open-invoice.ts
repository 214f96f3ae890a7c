import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

/** Open an invoice's file in a new tab. The tab opens on the click, because browsers block it after the response. */
export function useOpenInvoice() {
  return useMutation({
    mutationFn: async (id: string) => {
      const tab = window.open("about:blank", "_blank");
      try {
        const { url } = await api.GET("/billing/invoices/{invoice_id}", { params: { path: { invoice_id: id } } });
        if (tab) {
          tab.opener = null;
          tab.location.replace(url);
        } else {
          window.location.assign(url);
        }
      } catch (reason) {
        tab?.close();
        throw reason;
      }
    },
  });
}
