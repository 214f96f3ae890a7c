import { QueryClient, QueryClientProvider, useMutation } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { flushSync } from "react-dom";
import { expect, it, vi } from "vitest";
import { afterwards } from "./afterwards";

function Change({ gone, said }: { gone: () => void; said: () => void }) {
  const change = useMutation({ mutationFn: () => Promise.resolve(), onSuccess: () => flushSync(gone) });
  return (
    <button type="button" onClick={() => afterwards(change.mutateAsync(), said)}>
      Change
    </button>
  );
}

function Holder({ said }: { said: () => void }) {
  const [there, setThere] = useState(true);
  return there ? <Change gone={() => setThere(false)} said={said} /> : <p>Gone</p>;
}

it("is done though what was changed takes its component away", async () => {
  const said = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Holder said={said} />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole("button"));
  await screen.findByText("Gone");
  await waitFor(() => expect(said).toHaveBeenCalledOnce());
});
