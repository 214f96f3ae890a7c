import { useMutation } from "@tanstack/react-query";
import { plainApi } from "@/lib/api-client";
import { ApiError } from "@porchlight/shared/client";
import { API_ERROR_TEXTS, apiErrorText } from "@porchlight/shared/api-errors";

/** Download all data of a guru as a ZIP archive. */
export function useExportSite(label: string) {
  return useMutation({
    mutationFn: async () => {
      const url = URL.createObjectURL(await loadArchive(label));
      const link = document.createElement("a");
      link.href = url;
      link.download = `${label}.zip`;
      link.click();
      URL.revokeObjectURL(url);
    },
  });
}

async function loadArchive(label: string): Promise<Blob> {
  try {
    const { data, response } = await plainApi.POST("/admin/sites/{label}/export", {
      params: { path: { label } },
      credentials: "same-origin",
      parseAs: "blob",
    });
    if (!data) throw new ApiError(apiErrorText(response.status), response.status, "unknown");
    return data;
  } catch (reason) {
    if (reason instanceof ApiError) throw reason;
    throw new ApiError(API_ERROR_TEXTS.network, 0, "network");
  }
}
