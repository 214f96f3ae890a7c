/** Create a value on first use. Creating an Intl formatter is slow on a phone, and most pages need few of them. */
export function lazy<T>(create: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= create());
}
