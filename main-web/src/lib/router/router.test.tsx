import { act, cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import * as library from "react-router";
import { expect, it, vi } from "vitest";
import { paths } from "@/config/paths";
import { generatePath, matchPath } from "./paths";
import {
  createBrowserRouter,
  createMemoryRouter,
  Link,
  Outlet,
  RouterProvider,
  useBlocker,
  useParams,
  useRouteError,
  type RouteObject,
} from "./router-dom";

const VALUES = {
  id: "a/ü b",
  token: "t",
  label: "l",
  handle: "maya-lindqvist",
  service: "s",
  need: "1",
  thread: "new",
};
const PATTERNS = Object.values(paths);

it.each(PATTERNS)("fills in %s as the library does", (pattern) => {
  const fill = generatePath as (pattern: string, params: Record<string, string>) => string;
  const given = { ...VALUES, link: "x%y", lead: "2" };
  expect(fill(pattern, given)).toBe(library.generatePath(pattern, given));
});

it.each(PATTERNS)("matches %s as the library does", (pattern) => {
  for (const path of PATTERNS) {
    for (const pathname of [path.replace(/:/g, ""), `${path}/`, `${path}/more`, path.replace(/\/:\w+\?/, "")]) {
      for (const end of [true, false]) {
        const expected = library.matchPath({ path: pattern, end }, pathname);
        expect(matchPath({ path: pattern, end }, pathname), `${pattern} ${pathname} ${end}`).toEqual(
          expected?.params ?? null,
        );
      }
    }
  }
});

it("needs a value for each parameter", () => {
  expect(() => generatePath("/needs/:need", {})).toThrow('Missing ":need" param');
});

function Page({ text }: { text: string }) {
  return <h1>{text}</h1>;
}

function Named() {
  const { id } = useParams<"id">();
  return <h1>Item {id}</h1>;
}

function Failure() {
  const reason = useRouteError();
  return <p role="alert">{reason instanceof Error ? reason.message : "unknown"}</p>;
}

const frame = (children: RouteObject[]): RouteObject[] => [
  {
    element: (
      <>
        <header>Frame</header>
        <Outlet />
      </>
    ),
    errorElement: <Failure />,
    HydrateFallback: () => <p>Loading</p>,
    children: [{ errorElement: <Failure />, children }],
  },
];

function open(children: RouteObject[], at: string) {
  const router = createMemoryRouter(frame(children), { initialEntries: [at] });
  render(<RouterProvider router={router} />);
  return router;
}

it("shows the more specific route, whatever comes first", async () => {
  const router = open(
    [
      { path: "*", element: <Page text="Any" /> },
      { path: "/items/:id", element: <Named /> },
      { path: "/items/new", element: <Page text="New" /> },
    ],
    "/items/new",
  );
  expect(screen.getByRole("heading").textContent).toBe("New");
  await act(() => router.navigate("/items/a%2Fb"));
  expect(screen.getByRole("heading").textContent).toBe("Item a/b");
  await act(() => router.navigate("/elsewhere"));
  expect(screen.getByRole("heading").textContent).toBe("Any");
});

it("keeps the page until the next one is loaded", async () => {
  let arrive: (text: string) => void = () => undefined;
  const arrived = new Promise<string>((resolve) => (arrive = resolve));
  const lazy = async () => {
    const text = await arrived;
    return { element: <Page text={text} /> };
  };
  const router = open(
    [
      { path: "/", element: <Page text="First" /> },
      { path: "/late", lazy },
    ],
    "/",
  );
  let going = Promise.resolve();
  act(() => void (going = router.navigate("/late")));
  expect(router.state.navigation.state).toBe("loading");
  expect(screen.getByRole("heading").textContent).toBe("First");
  arrive("Late");
  await act(() => going);
  expect(screen.getByRole("heading").textContent).toBe("Late");
});

it("forgets a page that loads after another one was opened", async () => {
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const late = async () => {
    await arrived;
    return { element: <Page text="Late" /> };
  };
  const router = open(
    [
      { path: "/", element: <Page text="First" /> },
      { path: "/late", lazy: late },
      { path: "/other", element: <Page text="Other" /> },
    ],
    "/",
  );
  const going = router.navigate("/late");
  await act(() => router.navigate("/other"));
  arrive();
  await act(() => going);
  expect(router.state.location.pathname).toBe("/other");
  expect(screen.getByRole("heading").textContent).toBe("Other");
});

it("says in the frame that a page could not be loaded, and tries again", async () => {
  const lazy = vi
    .fn<NonNullable<RouteObject["lazy"]>>()
    .mockRejectedValueOnce(new Error("no such file"))
    .mockResolvedValue({ element: <Page text="There" /> });
  const router = open(
    [
      { path: "/", element: <Page text="First" /> },
      { path: "/page", lazy },
    ],
    "/",
  );
  await act(() => router.navigate("/page"));
  expect(screen.getByRole("alert").textContent).toBe("no such file");
  expect(screen.getByText("Frame")).toBeTruthy();
  await act(() => router.navigate("/page"));
  expect(screen.getByRole("heading").textContent).toBe("There");
});

it("asks for further routes once, where no known one matches", async () => {
  const lazyChildren = vi.fn(() => Promise.resolve([{ path: "/member", element: <Page text="Member" /> }]));
  const router = open(
    [{ path: "/", element: <Page text="First" /> }, { lazyChildren }, { path: "*", element: <Page text="Any" /> }],
    "/",
  );
  expect(lazyChildren).not.toHaveBeenCalled();
  await act(() => router.navigate("/member"));
  expect(screen.getByRole("heading").textContent).toBe("Member");
  await act(() => router.navigate("/unknown"));
  expect(screen.getByRole("heading").textContent).toBe("Any");
  expect(lazyChildren).toHaveBeenCalledOnce();
});

it("shows the error of a page, until the person goes elsewhere", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const Broken = () => {
    throw new Error("broken");
  };
  const router = open(
    [
      { path: "/", element: <Page text="First" /> },
      { path: "/broken", element: <Broken /> },
    ],
    "/broken",
  );
  expect(screen.getByRole("alert").textContent).toBe("broken");
  await act(() => router.navigate("/"));
  expect(screen.getByRole("heading").textContent).toBe("First");
});

function Form() {
  const blocker = useBlocker(({ nextLocation }) => nextLocation.pathname !== "/form");
  return blocker.state === "blocked" ? (
    <>
      <button onClick={blocker.proceed}>Leave</button>
      <button onClick={blocker.reset}>Stay</button>
    </>
  ) : (
    <h1>Form</h1>
  );
}

const FORM = [
  { path: "/", element: <Page text="First" /> },
  { path: "/form", element: <Form /> },
];

it("stays on a page with unsaved input until the person decides", async () => {
  const router = open(FORM, "/form");
  await act(() => router.navigate("/"));
  await userEvent.click(screen.getByRole("button", { name: "Stay" }));
  expect(router.state.location.pathname).toBe("/form");
  await act(() => router.navigate("/"));
  await userEvent.click(screen.getByRole("button", { name: "Leave" }));
  expect(await screen.findByText("First")).toBeTruthy();
});

it("stays after the back button too, until the person decides", async () => {
  const router = open(FORM, "/");
  await act(() => router.navigate("/form"));
  act(() => void router.navigate(-1));
  expect(router.state.location.pathname).toBe("/form");
  await userEvent.click(screen.getByRole("button", { name: "Leave" }));
  expect(await screen.findByText("First")).toBeTruthy();
});

it("goes back and forward with the browser", async () => {
  const before = window.location.href;
  window.history.replaceState(null, "", "/first");
  const router = createBrowserRouter(
    frame([
      { path: "/first", element: <Page text="First" /> },
      { path: "/second", element: <Page text="Second" /> },
    ]),
  );
  render(<RouterProvider router={router} />);
  await act(() => router.navigate("/second?q=1#end", { state: { from: "here" } }));
  expect(window.location.pathname + window.location.search + window.location.hash).toBe("/second?q=1#end");
  expect(router.state.location.state).toEqual({ from: "here" });
  await act(() => router.navigate(-1));
  expect(screen.getByRole("heading").textContent).toBe("First");
  await act(() => router.navigate(1));
  expect(screen.getByRole("heading").textContent).toBe("Second");
  cleanup();
  router.dispose();
  window.history.replaceState(null, "", before);
});

it.each([
  ["?tab=two", "/page?tab=two"],
  ["#part", "/page#part"],
  ["/other?q=1", "/other?q=1"],
  ["//elsewhere.example/x", "//elsewhere.example/x"],
  ["https://elsewhere.example/x", "https://elsewhere.example/x"],
  [{ search: "a=1" }, "/page?a=1"],
  [{ pathname: "/other", hash: "end" }, "/other#end"],
])("links to %j from a page", (to, href) => {
  open([{ path: "/page", element: <Link to={to}>There</Link> }], "/page?old=1");
  expect(screen.getByRole("link").getAttribute("href")).toBe(href);
});

it("goes to no other site", async () => {
  const router = open([{ path: "*", element: <Page text="Any" /> }], "/");
  await act(() => router.navigate("//elsewhere.example"));
  expect(router.state.location.pathname).toBe("/elsewhere.example");
});

it("leaves presses with a modifier and other targets to the browser", async () => {
  const router = open(
    [
      { path: "/", element: <Link to="/other">There</Link> },
      { path: "/other", element: <Page text="Other" /> },
    ],
    "/",
  );
  const user = userEvent.setup();
  const stop = (event: Event) => event.preventDefault();
  window.addEventListener("click", stop); // jsdom follows no links
  await user.keyboard("{Control>}");
  await user.click(screen.getByRole("link"));
  await user.keyboard("{/Control}");
  window.removeEventListener("click", stop);
  expect(router.state.location.pathname).toBe("/");
  await user.click(screen.getByRole("link"));
  expect(router.state.location.pathname).toBe("/other");
});
