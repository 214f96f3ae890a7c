import { useEffect, useRef, useState } from "react";
import { useAddress } from "./use-address";

/** Milliseconds of rest after which what was typed goes into the address; browsers limit how often it may change. */
const REST = 250;

/**
 * Text of a field that lives in the address, so that it survives reload and can be shared. Typing replaces the
 * history's entry rather than adding one a letter; going back puts the field's older text back.
 * @param name the query parameter
 */
export function useAddressText(name: string): [string, (text: string) => void] {
  const [params, setParams] = useAddress();
  const inAddress = params.get(name) ?? "";
  const [text, setText] = useState(inAddress);
  const written = useRef(inAddress);

  useEffect(() => {
    if (inAddress !== written.current) {
      written.current = inAddress;
      setText(inAddress);
    }
  }, [inAddress]);

  useEffect(() => {
    if (text === written.current) return;
    const timer = window.setTimeout(() => {
      written.current = text;
      setParams(
        (now) => {
          if (text) now.set(name, text);
          else now.delete(name);
          return now;
        },
        { replace: true, preventScrollReset: true },
      );
    }, REST);
    return () => window.clearTimeout(timer);
  }, [text, name, setParams]);

  return [text, setText];
}
