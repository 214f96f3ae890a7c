import { useMutation } from "@tanstack/react-query";
import { api } from "@/lib/api-client";

/**
 * Open Stripe's dashboard in a new tab (SPEC 2.15). The tab opens synchronously on the click, because browsers block
 * it after the response.
 */
export function useCreateExpressLogin() {
  return useMutation({
    mutationFn: async () => {
      const tab = window.open("about:blank", "_blank");
      try {
        const { url } = await api.POST("/connect/express-login");
        if (!url) throw new Error("no address came");
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
