import type { createBrowserRouter } from "react-router-dom";

type Router = ReturnType<typeof createBrowserRouter>;

/** Wait until the files of the router's first page are loaded. Return whether they could be. */
export async function pageLoaded(router: Router): Promise<boolean> {
  if (!router.state.initialized) {
    await new Promise<void>((resolve) => {
      const stop = router.subscribe(({ initialized }) => {
        if (!initialized) return;
        stop();
        resolve();
      });
    });
  }
  return router.state.errors === null;
}
