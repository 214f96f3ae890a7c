import { useSearchParamsState } from "@/lib/use-search-params-state";

/** Keep a choice in a search parameter; the first choice is the default and needs none. */
export function useSearchParamsChoice<T extends string>(
  name: string,
  choices: readonly [T, ...T[]],
): [T, (value: string) => void] {
  const [params, setParams] = useSearchParamsState();
  const value = choices.find((choice) => choice === params.get(name)) ?? choices[0];
  const setChoice = (next: string) =>
    setParams(
      (current) => {
        if (next === choices[0]) current.delete(name);
        else current.set(name, next);
        return current;
      },
      { replace: true, preventScrollReset: true },
    );
  return [value, setChoice];
}
