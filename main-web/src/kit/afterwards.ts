/**
 * What is done once a change is made, wherever its component is by then: what one gives to `mutate` is not called for a
 * component that is gone, and the fresh answer that takes it away may come first. What failed is `mutation.error`.
 */
export function afterwards(change: Promise<unknown>, then: () => void, otherwise?: (reason: Error) => void): void {
  change.then(then, otherwise ?? (() => undefined));
}
