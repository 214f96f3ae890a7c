/** Log a failed request as a warning, and rethrow its error (SPEC 8.4). */
export async function logFailure<T>(subject: string, call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (reason) {
    console.warn(`${subject} couldn't be loaded.`, reason);
    throw reason;
  }
}
