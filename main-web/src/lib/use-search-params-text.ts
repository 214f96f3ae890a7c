import { useEffect, useRef, useState } from "react";
import { useSearchParamsState } from "./use-search-params-state";

/** Browsers limit how often a page may change its URL. */
const DEBOUNCE_MS = 250;

/**
 * Keep the text of a field in a search parameter, so that it survives a reload and can be shared. Typing replaces the
 * history entry instead of adding one per letter; going back restores the field's earlier text.
 */
export function useSearchParamsText(name: string): [string, (text: string) => void] {
  const [params, setParams] = useSearchParamsState();
  const paramText = params.get(name) ?? "";
  const [text, setText] = useState(paramText);
  const lastWritten = useRef(paramText);

  useEffect(() => {
    if (paramText !== lastWritten.current) {
      lastWritten.current = paramText;
      setText(paramText);
    }
  }, [paramText]);

  useEffect(() => {
    if (text === lastWritten.current) return;
    const timer = window.setTimeout(() => {
      lastWritten.current = text;
      setParams(
        (current) => {
          if (text) current.set(name, text);
          else current.delete(name);
          return current;
        },
        { replace: true, preventScrollReset: true },
      );
    }, DEBOUNCE_MS);
    return () => window.clearTimeout(timer);
  }, [text, name, setParams]);

  return [text, setText];
}
