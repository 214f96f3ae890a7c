// The official Firebase Auth emulator on 127.0.0.1, with its accounts kept in a file.
//
//   node server.js --port 8001 --project demo-porchlight --state DIR
//
// It needs neither Java nor the network. Its tokens are not signed: nothing but a development machine may use it.

import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Keeper } from "./keeper.js";
import { offlinePopup } from "./popup.js";

const require = createRequire(import.meta.url);
// Compiling the whole API takes six seconds of a core. Tenants, other identity providers and passkeys are not used here.
const { paths } = require("firebase-tools/lib/emulator/auth/apiSpec").default;
for (const path of Object.keys(paths)) {
  if (/\/tenants|IdpConfigs|SamlConfigs|passkey/i.test(path)) delete paths[path];
}
const { createApp } = require("firebase-tools/lib/emulator/auth/server");
const { SingleProjectMode } = require("firebase-tools/lib/emulator/auth");
const { AgentProjectState } = require("firebase-tools/lib/emulator/auth/state");

const { values } = parseArgs({
  options: {
    port: { type: "string" },
    project: { type: "string", default: "demo-porchlight" },
    state: { type: "string" },
  },
});
const port = Number(values.port);
if (!Number.isInteger(port) || port < 1 || port > 65535 || !values.state) {
  console.error("Usage: node server.js --port PORT --state DIR [--project ID]");
  process.exit(2);
}

mkdirSync(values.state, { recursive: true, mode: 0o700 });
const project = new AgentProjectState(values.project);
// As new Firebase projects have it: answers do not tell whether an address has an account.
project.enableImprovedEmailPrivacy = true;
const keeper = new Keeper(join(values.state, "accounts.json"), project);
keeper.restore();

const emulator = await createApp(values.project, SingleProjectMode.ERROR, new Map([[values.project, project]]));
const server = keeper.guard(offlinePopup(emulator)).listen(port, "127.0.0.1", () => {
  console.log(`The Auth emulator answers on http://127.0.0.1:${port}`);
});
server.on("error", (error) => {
  console.error(error.message);
  process.exit(1);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    server.close(() => process.exit(0));
    server.closeAllConnections();
  });
}
