import { useMutation } from "@tanstack/react-query";
import { ApiError } from "@porchlight/shared/client";
import { apiErrorText } from "@porchlight/shared/api-errors";

/** Download all data of a guru as a ZIP archive. */
export function useExportSite(label: string) {
  return useMutation({
    mutationFn: async () => {
      const response = await fetch(`/api/admin/sites/${label}/export`, { method: "POST", credentials: "same-origin" });
      if (!response.ok) throw new ApiError(apiErrorText(response.status), response.status, "unknown");
      const url = URL.createObjectURL(await response.blob());
      const link = document.createElement("a");
      link.href = url;
      link.download = `${label}.zip`;
      link.click();
      URL.revokeObjectURL(url);
    },
  });
}
