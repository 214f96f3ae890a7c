type Renewal = {
  pushManager: Pick<PushManager, "getSubscription" | "subscribe">;
  /** Get the server's key; "" when signed out. */
  getPublicKey: () => Promise<string>;
  /** Tell the server where notes go from now on. */
  register: (subscription: PushSubscription, replaces: string) => Promise<void>;
};

/**
 * Subscribe again if the server has a new key. Each note asks, so that a device changes over while the server still
 * signs with the key that the device has.
 */
export async function renewForNewKey({ pushManager, getPublicKey, register }: Renewal): Promise<boolean> {
  const current = await pushManager.getSubscription();
  const key = current?.options.applicationServerKey;
  if (!current || !key) return false;
  const publicKey = await getPublicKey();
  if (publicKey === "" || publicKey === toBase64Url(key)) return false;
  await current.unsubscribe();
  const fresh = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  await register(fresh, current.endpoint);
  return true;
}

/** Return a key as the server writes it: base64url without padding. */
export function toBase64Url(key: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return the key in an answer of the API about the person's devices, or "". */
export function publicKeyIn(answer: unknown): string {
  const { data } = (answer ?? {}) as { data?: { publicKey?: unknown } };
  return typeof data?.publicKey === "string" ? data.publicKey : "";
}
