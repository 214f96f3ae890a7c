import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { flushSync } from "react-dom";
import { expect, it, vi } from "vitest";
import { onSettled } from "./on-settled";

function Change({ onUnmount, onDone }: { onUnmount: () => void; onDone: () => void }) {
  const change = useMutation({ mutationFn: () => Promise.resolve(), onSuccess: () => flushSync(onUnmount) });
  return (
    <button type="button" onClick={() => onSettled(change.mutateAsync(), onDone)}>
      Change
    </button>
  );
}

function Holder({ onDone }: { onDone: () => void }) {
  const [isMounted, setIsMounted] = useState(true);
  return isMounted ? <Change onUnmount={() => setIsMounted(false)} onDone={onDone} /> : <p>Gone</p>;
}

it("runs though the change unmounts its component", async () => {
  const onDone = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Holder onDone={onDone} />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole("button"));
  await screen.findByText("Gone");
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
});
