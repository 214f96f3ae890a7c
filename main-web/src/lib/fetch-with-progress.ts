/** Statuses whose responses have no body. */
const BODILESS_STATUSES = new Set([204, 205, 304]);

/**
 * Return a `fetch` that reports upload progress, which `fetch` itself cannot do.
 * @param onProgress called with the part of the body sent so far, 0 to 1
 */
export function fetchWithProgress(onProgress: (part: number) => void) {
  return (url: string, { method = "POST", headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, url);
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.onprogress = ({ lengthComputable, loaded, total }) =>
        lengthComputable && onProgress(loaded / total);
      request.onload = () => {
        const responseHeaders = new Headers();
        for (const name of ["Content-Type", "Retry-After"]) {
          const value = request.getResponseHeader(name);
          if (value !== null) responseHeaders.set(name, value);
        }
        const { status } = request;
        resolve(
          new Response(BODILESS_STATUSES.has(status) ? null : request.responseText, {
            status,
            headers: responseHeaders,
          }),
        );
      };
      request.onerror = () => reject(new TypeError("No response arrived."));
      request.onabort = () => reject(new DOMException("The request was aborted.", "AbortError"));
      signal?.addEventListener("abort", () => request.abort());
      request.send(body as XMLHttpRequestBodyInit | null);
    });
}
