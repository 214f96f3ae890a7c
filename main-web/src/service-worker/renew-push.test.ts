import { expect, it, vi } from "vitest";
import { publicKeyIn, renewForNewKey, toBase64Url } from "./renew-push";

const OLD = new Uint8Array([251, 255, 1]).buffer;

function browser(publicKey: string) {
  const unsubscribe = vi.fn(() => Promise.resolve(true));
  const current = { endpoint: "https://push.example/old", options: { applicationServerKey: OLD }, unsubscribe };
  const fresh = { endpoint: "https://push.example/new" };
  const subscribe = vi.fn(() => Promise.resolve(fresh as PushSubscription));
  const register = vi.fn(() => Promise.resolve());
  const pushManager = { getSubscription: () => Promise.resolve(current as unknown as PushSubscription), subscribe };
  const getPublicKey = () => Promise.resolve(publicKey);
  return { renewal: { pushManager, getPublicKey, register }, subscribe, register, unsubscribe, fresh };
}

it("subscribes again to the server's new key, in place of the old subscription", async () => {
  const { renewal, subscribe, register, unsubscribe, fresh } = browser("new-key");
  expect(await renewForNewKey(renewal)).toBe(true);
  expect(unsubscribe).toHaveBeenCalledOnce();
  expect(subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: "new-key" });
  expect(register).toHaveBeenCalledWith(fresh, "https://push.example/old");
});

it.each([toBase64Url(OLD), ""])("keeps the subscription while the server's key is %s", async (key) => {
  const { renewal, subscribe, unsubscribe } = browser(key);
  expect(await renewForNewKey(renewal)).toBe(false);
  expect(unsubscribe).not.toHaveBeenCalled();
  expect(subscribe).not.toHaveBeenCalled();
});

it("writes keys as the server does", () => expect(toBase64Url(OLD)).toBe("-_8B"));

it.each([
  [{ success: true, data: { publicKey: "key" } }, "key"],
  [{ success: false }, ""],
  [null, ""],
])("reads the key of %s", (answer, key) => expect(publicKeyIn(answer)).toBe(key));
