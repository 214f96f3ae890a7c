import { useEffect, useState } from "react";

import type { ShellState } from "../shell/state";

/** Loads what the page lacks, when it lacks it. The loader is a chunk of its own: pages with data never fetch it. */
export function useShell(page: string, path: string, needed: boolean): ShellState {
  const [state, setState] = useState<{ path: string; shell: ShellState }>({ path, shell: { kind: "waiting" } });
  useEffect(() => {
    if (!needed) return undefined;
    let gone = false;
    void import("../shell/load-shell")
      .then(({ loadShell }) => loadShell(page, window.location))
      .then((shell) => {
        if (!gone) setState({ path, shell });
      });
    return () => {
      gone = true;
    };
  }, [page, path, needed]);
  return state.path === path ? state.shell : { kind: "waiting" };
}
