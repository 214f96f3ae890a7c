import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router-dom";
import { expect, it } from "vitest";
import { useAddress } from "./use-address";

/** A button that makes some changes at once. */
function Change({ to, replace = true }: { to: Record<string, string>; replace?: boolean }) {
  const [, change] = useAddress();
  const all = () => {
    for (const [name, value] of Object.entries(to)) {
      change(
        (now) => {
          now.set(name, value);
          return now;
        },
        { replace },
      );
    }
  };
  return <button onClick={all}>{Object.keys(to).join(" and ")}</button>;
}

function Screen() {
  const [params] = useAddress();
  return (
    <>
      <p>{params.toString()}</p>
      <Change to={{ q: "zoe", status: "suspended" }} />
      <Change to={{ page: "2" }} replace={false} />
      <Change to={{ q: "ida" }} />
    </>
  );
}

const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));

it("keeps every one of the changes that are made before the next drawing, and builds on what is there after going back", async () => {
  const router = createMemoryRouter([{ path: "/", element: <Screen /> }], { initialEntries: ["/?kept=1"] });
  render(<RouterProvider router={router} />);
  await press("q and status");
  expect(await screen.findByText("kept=1&q=zoe&status=suspended")).toBeTruthy();
  await press("page");
  expect(await screen.findByText("kept=1&q=zoe&status=suspended&page=2")).toBeTruthy();
  await act(() => router.navigate(-1));
  await press("q");
  expect(await screen.findByText("kept=1&q=ida&status=suspended")).toBeTruthy();
});
