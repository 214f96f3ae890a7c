/**
 * Call `onSuccess` or `onError` when a mutation's promise settles, even if the component has unmounted by then:
 * TanStack Query drops the callbacks given to `mutate` when its component unmounts, for example because the refreshed
 * data removes it. Without `onError`, the error is left to `mutation.error`.
 */
export function onSettled(promise: Promise<unknown>, onSuccess: () => void, onError?: (reason: Error) => void): void {
  promise.then(onSuccess, onError ?? (() => undefined));
}
