import { QueryClientProvider } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { RouterProvider } from "react-router-dom";
import { SessionProvider } from "@/lib/session/session-provider";
import { Splash } from "@/components/ui/splash";
import { LimitSheetHost } from "@/features/billing/components/limit-sheet-host";
import { VerifyEmailHost } from "@/features/auth/components/verify-email-host";
import { ToastHost } from "@/components/ui/toast-host";
import { keepAnswers } from "@/lib/keep-answers";
import { createMutationCache } from "@/lib/limit-sheet-store";
import { AppQueryClient } from "@/lib/query-client";
import { UpdatePrompt } from "./layout/update-prompt";

export const queries = new AppQueryClient({
  mutationCache: createMutationCache(),
  defaultOptions: {
    // Failed requests are shown with a retry button; they are never repeated automatically.
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      staleTime: 60_000,
      // Without a connection a page says so, or shows its last answers, instead of loading until there is one.
      networkMode: "offlineFirst",
      persister: keepAnswers,
    },
  },
});

/** The app with its providers, outermost first. */
export function Providers({ router }: Pick<ComponentProps<typeof RouterProvider>, "router">) {
  return (
    <QueryClientProvider client={queries}>
      <SessionProvider fallback={<Splash />}>
        <RouterProvider router={router} />
        <VerifyEmailHost />
      </SessionProvider>
      <UpdatePrompt />
      <ToastHost />
      <LimitSheetHost />
    </QueryClientProvider>
  );
}
