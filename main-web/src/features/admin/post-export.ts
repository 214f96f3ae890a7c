import { useMutation } from "@tanstack/react-query";
import { ApiError } from "@porchlight/shared/client";
import { apiErrorText } from "@porchlight/shared/api-errors";

/** Fetches everything of a guru as a ZIP archive and hands it to the browser. */
export function useExport(label: string) {
  return useMutation({
    mutationFn: async () => {
      const answer = await fetch(`/api/admin/sites/${label}/export`, { method: "POST", credentials: "same-origin" });
      if (!answer.ok) throw new ApiError(apiErrorText(answer.status), answer.status, "unknown");
      const address = URL.createObjectURL(await answer.blob());
      const link = document.createElement("a");
      link.href = address;
      link.download = `${label}.zip`;
      link.click();
      URL.revokeObjectURL(address);
    },
  });
}
