import { useCallback, useEffect } from "react";
import { type NavigateOptions, useLocation, useSearchParams } from "react-router-dom";

type Edit = (params: URLSearchParams) => URLSearchParams;

// The parameters of a navigation that has not rendered yet, and the key of the location it started from.
let pending: { locationKey: string; params: URLSearchParams } | null = null;

/**
 * Return the URL's search parameters and a setter. Two edits before the next render both apply: the router's own
 * setter starts from the last rendered parameters, so a debounced text and a filter chosen right after it would
 * overwrite each other.
 */
export function useSearchParamsState(): [URLSearchParams, (edit: Edit, options?: NavigateOptions) => void] {
  const [params, setParams] = useSearchParams();
  const { key } = useLocation();

  useEffect(() => {
    pending = null;
  }, [key]);

  const editParams = useCallback(
    (edit: Edit, options?: NavigateOptions) =>
      setParams((rendered) => {
        const edited = edit(new URLSearchParams(pending?.locationKey === key ? pending.params : rendered));
        pending = { locationKey: key, params: edited };
        return edited;
      }, options),
    [key, setParams],
  );
  return [params, editParams];
}
