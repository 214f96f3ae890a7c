import { useEffect, useState } from "react";
import { keepPage } from "@/lib/keep-page";

/** Keep the files of the page once it shows what it is for, and tell whether it opens without a connection. */
export function useKeptPage(isReady: boolean): boolean {
  const [isKept, setIsKept] = useState(false);
  useEffect(() => {
    let isShown = true;
    if (isReady) void keepPage().then((kept) => isShown && setIsKept(kept));
    return () => {
      isShown = false;
    };
  }, [isReady]);
  return isKept;
}
