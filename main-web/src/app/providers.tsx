import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "react-router-dom";
import { SessionProvider } from "../kit/session/session-provider";
import { ToastHost } from "../ui/toast-host";
import { UpdatePrompt } from "./frame/update-prompt";
import { router } from "./router";

const queries = new QueryClient({
  defaultOptions: {
    // A failed call is shown with a way to try again; nothing repeats behind the reader's back.
    queries: { retry: false, refetchOnWindowFocus: false, staleTime: 60_000 },
  },
});

/** Everything the screens stand on, outermost first. */
export function Providers() {
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <RouterProvider router={router} />
      </SessionProvider>
      <UpdatePrompt />
      <ToastHost />
    </QueryClientProvider>
  );
}
