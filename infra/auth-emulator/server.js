// The official Firebase Auth emulator on 127.0.0.1, with its accounts stored in a file.
//
//   node server.js --port 8001 --project demo-porchlight --state DIR
//
// It needs neither Java nor network access. Its tokens are unsigned: use it for development only.

import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { AccountStore } from "./account-store.js";
import { makeStartCheap } from "./cheap-start.js";
import { serveOfflinePopup } from "./offline-popup.js";

const require = createRequire(import.meta.url);
makeStartCheap(require);
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
// The default of new Firebase projects: responses do not reveal whether an email has an account.
project.enableImprovedEmailPrivacy = true;
const store = new AccountStore(join(values.state, "accounts.json"), project);
store.load();

const emulator = await createApp(values.project, SingleProjectMode.ERROR, new Map([[values.project, project]]));
const server = store.createServer(serveOfflinePopup(emulator)).listen(port, "127.0.0.1", () => {
  console.log(`Auth emulator listening on http://127.0.0.1:${port}`);
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
