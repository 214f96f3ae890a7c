import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, it } from "vitest";
import { useSearchParamsState } from "./use-search-params-state";

/** A button that makes several changes at once. */
function Change({ to, replace = true }: { to: Record<string, string>; replace?: boolean }) {
  const [, change] = useSearchParamsState();
  const all = () => {
    for (const [name, value] of Object.entries(to)) {
      change(
        (current) => {
          current.set(name, value);
          return current;
        },
        { replace },
      );
    }
  };
  return <button onClick={all}>{Object.keys(to).join(" and ")}</button>;
}

function Screen() {
  const [params] = useSearchParamsState();
  return (
    <>
      <p>{params.toString()}</p>
      <Change to={{ q: "zoe", status: "suspended" }} />
      <Change to={{ page: "2" }} replace={false} />
      <Change to={{ q: "ida" }} />
    </>
  );
}

const click = (name: string) => userEvent.click(screen.getByRole("button", { name }));

it("keeps all changes made before the next render", async () => {
  const router = createMemoryRouter([{ path: "/", element: <Screen /> }], { initialEntries: ["/?kept=1"] });
  render(<RouterProvider router={router} />);
  await click("q and status");
  expect(await screen.findByText("kept=1&q=zoe&status=suspended")).toBeTruthy();
  await click("page");
  expect(await screen.findByText("kept=1&q=zoe&status=suspended&page=2")).toBeTruthy();
  await act(() => router.navigate(-1));
  await click("q");
  expect(await screen.findByText("kept=1&q=ida&status=suspended")).toBeTruthy();
});
