/** Statuses whose answers have no body. */
const EMPTY = new Set([204, 205, 304]);

/**
 * Carries a call as fetch does, and reports how much of its body has been sent, 0 to 1: fetch itself does not tell.
 * @param report called again and again until everything has been sent; the answer comes some time after
 */
export function uploading(report: (part: number) => void) {
  return (url: string, { method = "POST", headers, body, signal }: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const call = new XMLHttpRequest();
      call.open(method, url);
      new Headers(headers).forEach((value, name) => call.setRequestHeader(name, value));
      call.upload.onprogress = ({ lengthComputable, loaded, total }) => lengthComputable && report(loaded / total);
      call.onload = () => {
        const said = new Headers();
        for (const name of ["Content-Type", "Retry-After"]) {
          const value = call.getResponseHeader(name);
          if (value !== null) said.set(name, value);
        }
        resolve(new Response(EMPTY.has(call.status) ? null : call.responseText, { status: call.status, headers: said }));
      };
      call.onerror = () => reject(new TypeError("No answer arrived."));
      call.onabort = () => reject(new DOMException("The call was given up.", "AbortError"));
      signal?.addEventListener("abort", () => call.abort());
      call.send(body as XMLHttpRequestBodyInit | null);
    });
}
