import { readFileSync } from "node:fs";

const GAPI_STUB = readFileSync(new URL("gapi-stub.js", import.meta.url));
const POPUP_PAGES = ["/emulator/auth/handler", "/emulator/auth/iframe"];
// Without network access the page would wait for these to time out.
const EXTERNAL_RESOURCES = /<(?:link\s+href|script\s+src)="https:\/\/(?!apis\.google\.com)[^>]*>(?:<\/script>)?\n?/g;
const STYLE = `<style>
  body { font: 16px/1.5 system-ui, sans-serif; color: #1c2420; background: #fff; }
  .material-icons, .mdc-notched-outline__leading { display: none; }
  .js-reuse-account { cursor: pointer; }
  button { font: inherit; padding: 8px 16px; border: 1px solid #8a938e; border-radius: 8px; background: #fff; cursor: pointer; }
  button[type="submit"] { background: #146c43; border-color: #146c43; color: #fff; }
  button:disabled { opacity: 0.5; cursor: default; }
  :focus-visible { outline: 3px solid #146c43; outline-offset: 2px; }
  input { font: inherit; box-sizing: border-box; width: 100%; padding: 8px 12px; border: 1px solid #8a938e; border-radius: 8px; }
  .mdc-text-field, .form-label { display: block; }
  .custom-label { display: none !important; }
</style>
`;

/**
 * Wrap `app` so that the emulator's Google popup works without network access: its pages load gapi-stub.js, served as
 * /js/api.js, instead of Google's library, and nothing from other hosts.
 */
export function serveOfflinePopup(app) {
  return (request, response) => {
    const pathname = request.url.split("?", 1)[0];
    if (pathname === "/js/api.js") {
      response.writeHead(200, { "content-type": "text/javascript; charset=utf-8", "cache-control": "max-age=3600" });
      response.end(GAPI_STUB);
      return;
    }
    if (POPUP_PAGES.includes(pathname)) {
      const end = response.end;
      response.end = (body, ...rest) =>
        end.call(response, typeof body === "string" ? removeExternalResources(body) : body, ...rest);
    }
    app(request, response);
  };
}

function removeExternalResources(page) {
  return page
    .replaceAll("https://apis.google.com/js/api.js", "/js/api.js")
    .replaceAll(EXTERNAL_RESOURCES, "")
    .replace("</style>", `</style>\n${STYLE}`);
}
