import { useCallback, useEffect } from "react";
import { type NavigateOptions, useLocation, useSearchParams } from "react-router-dom";

type Edit = (params: URLSearchParams) => URLSearchParams;

// What the address is about to say, and after which one (by its key): changes are drawn a moment after they are made.
let coming: { after: string; params: URLSearchParams } | null = null;

/**
 * The address's parameters, and a way to change them. The router's own setter builds on what was drawn last: of two
 * changes before the next drawing, a word that rested and a filter that was chosen, it would lose the first.
 */
export function useAddress(): [URLSearchParams, (edit: Edit, options?: NavigateOptions) => void] {
  const [params, setParams] = useSearchParams();
  const { key } = useLocation();

  useEffect(() => {
    coming = null;
  }, [key]);

  const change = useCallback(
    (edit: Edit, options?: NavigateOptions) =>
      setParams((drawn) => {
        const edited = edit(new URLSearchParams(coming?.after === key ? coming.params : drawn));
        coming = { after: key, params: edited };
        return edited;
      }, options),
    [key, setParams],
  );
  return [params, change];
}
