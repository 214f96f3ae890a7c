import { readFileSync } from "node:fs";

const STUB = readFileSync(new URL("gapi.js", import.meta.url));
const PAGES = ["/emulator/auth/handler", "/emulator/auth/iframe"];
// Without the network these are what a page would wait for in vain.
const FROM_AFAR = /<(?:link\s+href|script\s+src)="https:\/\/(?!apis\.google\.com)[^>]*>(?:<\/script>)?\n?/g;
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
 * Lets the emulator's Google popup work without the network: its pages take Google's library from us (gapi.js, served as
 * /js/api.js) and nothing from anywhere else.
 */
export function offlinePopup(app) {
  return (request, response) => {
    const pathname = request.url.split("?", 1)[0];
    if (pathname === "/js/api.js") {
      response.writeHead(200, { "content-type": "text/javascript; charset=utf-8", "cache-control": "max-age=3600" });
      response.end(STUB);
      return;
    }
    if (PAGES.includes(pathname)) {
      const end = response.end;
      response.end = (body, ...rest) => end.call(response, typeof body === "string" ? atHome(body) : body, ...rest);
    }
    app(request, response);
  };
}

function atHome(page) {
  return page
    .replaceAll("https://apis.google.com/js/api.js", "/js/api.js")
    .replaceAll(FROM_AFAR, "")
    .replace("</style>", `</style>\n${STYLE}`);
}
