import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { followStream } from "./stream";

/** Stands in for the browser's locks: one holder per name, the others wait. */
class FakeLocks {
  private waiting: (() => void)[] = [];
  private isHeld = false;
  async request(_name: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) {
    if (this.isHeld) await new Promise<void>((turn) => this.waiting.push(turn));
    if (signal.aborted) throw new DOMException("stopped", "AbortError");
    this.isHeld = true;
    await run();
    this.isHeld = false;
    this.waiting.shift()?.();
  }
}

class FakeStream extends EventTarget {
  static readonly OPEN = 1;
  static opened: FakeStream[] = [];
  readyState = 1;
  constructor(readonly url: string) {
    super();
    FakeStream.opened.push(this);
  }
  close() {
    this.readyState = 2;
  }
  say(change: unknown) {
    this.dispatchEvent(new MessageEvent("change", { data: JSON.stringify({ change, unread: 0 }) }));
  }
}

class FakeChannel {
  static all = new Set<FakeChannel>();
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor() {
    FakeChannel.all.add(this);
  }
  postMessage(data: unknown) {
    for (const other of FakeChannel.all) if (other !== this) other.onmessage?.({ data });
  }
  close() {
    FakeChannel.all.delete(this);
  }
}

const follow = () => {
  const received: number[] = [];
  const states: boolean[] = [];
  const stop = followStream("u1", {
    onChange: (change) => received.push(change),
    onState: (open) => states.push(open),
  });
  return { received, states, stop };
};
const turns = () => new Promise((done) => setTimeout(done, 0));

beforeEach(() => {
  FakeStream.opened = [];
  FakeChannel.all.clear();
  Object.defineProperty(navigator, "locks", { configurable: true, value: new FakeLocks() });
  vi.stubGlobal("EventSource", FakeStream);
  vi.stubGlobal("BroadcastChannel", FakeChannel);
});

afterEach(() => {
  Reflect.deleteProperty(navigator, "locks");
  vi.stubGlobal("EventSource", undefined);
  vi.stubGlobal("BroadcastChannel", undefined);
});

it("holds one stream for all tabs, and passes on what it says", async () => {
  const first = follow();
  const second = follow();
  await turns();
  expect(FakeStream.opened.map(({ url }) => url)).toEqual(["/api/messages/stream"]);
  FakeStream.opened[0]?.say(5);
  expect([first.received, second.received]).toEqual([[5], [5]]);
  FakeStream.opened[0]?.dispatchEvent(new Event("error"));
  expect([first.states.at(-1), second.states.at(-1)]).toEqual([false, false]);
  first.stop();
  second.stop();
});

it("lets another tab lead when the leading one closes", async () => {
  const first = follow();
  const second = follow();
  await turns();
  first.stop();
  await turns();
  expect(FakeStream.opened).toHaveLength(2);
  FakeStream.opened[1]?.say(8);
  expect([first.received, second.received]).toEqual([[], [8]]);
  second.stop();
});

it("ignores what is no number, and does nothing without locks", async () => {
  const first = follow();
  await turns();
  FakeStream.opened[0]?.say("many");
  expect(first.received).toEqual([]);
  first.stop();
  Reflect.deleteProperty(navigator, "locks");
  follow().stop();
  expect(FakeStream.opened).toHaveLength(1);
});
