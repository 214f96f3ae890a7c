import { useMutation } from "@tanstack/react-query";
import { api } from "../../kit/api";
import type { Address } from "./own";

/**
 * Opens Stripe's dashboard in a new tab (SPEC 2.15). The tab is opened by the press itself, before the answer is there:
 * later the browser would take it for an advertisement.
 */
export function useExpressLogin() {
  return useMutation({
    mutationFn: async () => {
      const tab = window.open("about:blank", "_blank");
      try {
        const { url } = await api.post<Partial<Address>>("/connect/express-login");
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
