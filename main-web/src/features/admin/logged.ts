/** A call whose failure is only logged (SPEC 8.4). */
export async function logged<T>(what: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (reason) {
    console.warn(`${what} could not be loaded.`, reason);
    throw reason;
  }
}
