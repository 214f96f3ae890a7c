import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState, type ReactNode, type SyntheticEvent } from "react";
import { describe, expect, it, vi } from "vitest";
import { Confirm } from "./confirm";
import { Dialog } from "./dialog";

type ExampleProps = { children: ReactNode; startsAt?: "field" | "top"; removesOpener?: boolean };

function Example({ children, startsAt, removesOpener = false }: ExampleProps) {
  const [open, setOpen] = useState(false);
  const [removed, setRemoved] = useState(false);
  return (
    <main>
      <h1>Page</h1>
      {!removed && <button onClick={() => setOpen(true)}>Open</button>}
      {open && (
        <Dialog
          open
          title="Dialog"
          onOpenChange={(isOpen) => {
            setOpen(isOpen);
            setRemoved(removesOpener);
          }}
          {...(startsAt && { startsAt })}
        >
          {children}
        </Dialog>
      )}
    </main>
  );
}

const focused = () => document.activeElement;

async function openDialog() {
  const user = userEvent.setup();
  await user.click(screen.getByRole("button", { name: "Open" }));
  return user;
}

describe("a dialog", () => {
  it.each([
    ["the first field", <input key="a" aria-label="Target" />],
    ["a field after those that are only read", [<input key="a" readOnly />, <select key="b" aria-label="Target" />]],
    ["a field after those of buttons", [<input key="a" type="file" />, <textarea key="b" aria-label="Target" />]],
    ["a field after disabled ones", [<input key="a" disabled />, <input key="b" aria-label="Target" />]],
    [
      "the selected radio button",
      [
        <input key="a" type="radio" name="n" />,
        <input key="b" type="radio" name="n" aria-label="Target" defaultChecked />,
      ],
    ],
  ])("starts at %s", async (_, fields) => {
    render(<Example>{fields}</Example>);
    await openDialog();
    await waitFor(() => expect(focused()).toBe(screen.getByLabelText("Target")));
  });

  it("starts at its first button without a field, or if it starts at the top", async () => {
    render(<Example startsAt="top">{<input aria-label="Later" />}</Example>);
    await openDialog();
    await waitFor(() => expect(focused()).toBe(screen.getByRole("button", { name: "Close" })));
  });

  it("returns the focus to where it was", async () => {
    render(<Example>{<input aria-label="Field" />}</Example>);
    const user = await openDialog();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(focused()).toBe(screen.getByRole("button", { name: "Open" })));
  });

  it("returns the focus to the heading if its opener is gone", async () => {
    render(<Example removesOpener>{<input aria-label="Field" />}</Example>);
    const user = await openDialog();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(focused()).toBe(screen.getByRole("heading", { name: "Page" })));
  });
});

function Question() {
  const [open, setOpen] = useState(false);
  return (
    <main>
      <button onClick={() => setOpen(true)}>Open</button>
      <Confirm
        open={open}
        onOpenChange={setOpen}
        title="Delete this?"
        description="It can't be undone."
        action="Delete"
        onConfirm={() => setOpen(false)}
      >
        <input aria-label="Reason" />
      </Confirm>
    </main>
  );
}

it("a question starts at its cancel button and returns the focus", async () => {
  render(<Question />);
  const user = await openDialog();
  await waitFor(() => expect(focused()).toBe(screen.getByRole("button", { name: "Cancel" })));
  await user.click(screen.getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(focused()).toBe(screen.getByRole("button", { name: "Open" })));
});

describe.each([
  ["a dialog", (content: ReactNode) => <Dialog open title="Dialog" onOpenChange={vi.fn()} children={content} />],
  [
    "a question",
    (content: ReactNode) => (
      <Confirm
        open
        title="Delete this?"
        onOpenChange={vi.fn()}
        action="Delete"
        onConfirm={vi.fn()}
        children={content}
      />
    ),
  ],
])("%s inside a form", (_, renderDialog) => {
  it("keeps its events to itself", async () => {
    const leaked: string[] = [];
    const record = (event: SyntheticEvent) => leaked.push(event.type);
    const own = vi.fn((event: SyntheticEvent) => event.preventDefault());
    render(
      <form onSubmit={record} onReset={record} onChange={record} onInput={record}>
        {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
        <div onClick={record} onKeyDown={record} onKeyUp={record} onPaste={record}>
          {renderDialog(
            <form onSubmit={own}>
              <input aria-label="Name" />
              <button type="reset">Clear</button>
              <button>Save</button>
            </form>,
          )}
        </div>
      </form>,
    );
    const user = userEvent.setup();
    await user.type(screen.getByLabelText("Name"), "Ada");
    await user.paste("!");
    await user.click(screen.getByRole("button", { name: "Clear" }));
    await user.click(screen.getByRole("button", { name: "Save" }));
    await user.type(screen.getByLabelText("Name"), "{Enter}");
    expect(own).toHaveBeenCalledTimes(2);
    expect(leaked).toEqual([]);
  });
});
