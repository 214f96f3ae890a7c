import { useAddress } from "../../kit/use-address";

/** A choice that lives in the address, so that it survives reload; the first one needs no mention there. */
export function useChoice<T extends string>(name: string, choices: readonly [T, ...T[]]): [T, (value: string) => void] {
  const [params, setParams] = useAddress();
  const value = choices.find((choice) => choice === params.get(name)) ?? choices[0];
  const choose = (next: string) =>
    setParams(
      (now) => {
        if (next === choices[0]) now.delete(name);
        else now.set(name, next);
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return [value, choose];
}
