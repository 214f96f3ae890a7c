import { QueryClientProvider, useMutation, useQuery } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { AppQueryClient } from "./query-client";

it("shows the state after a change, though its first load ends later", async () => {
  // As in the app: a loaded state counts as current for a minute.
  const queries = new AppQueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } });
  const events = new EventTarget();
  const late = new Promise((done) => events.addEventListener("late", done));
  const load = vi.fn(() => Promise.resolve("active")).mockImplementationOnce(() => late.then(() => "unpublished"));
  const { result } = renderHook(
    () => ({
      site: useQuery({ queryKey: ["site"], queryFn: load }),
      publish: useMutation({
        mutationFn: () => Promise.resolve(),
        onSettled: () => queries.invalidateQueries({ queryKey: ["site"] }),
      }),
    }),
    { wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider> },
  );
  await waitFor(() => expect(load).toHaveBeenCalledOnce());

  await act(async () => {
    result.current.publish.mutate();
    await new Promise((done) => setTimeout(done)); // the mutation has asked to load everything again
    events.dispatchEvent(new Event("late"));
    await late;
  });

  await waitFor(() => expect(result.current.publish.isSuccess).toBe(true));
  expect(result.current.site.data).toBe("active");
});
