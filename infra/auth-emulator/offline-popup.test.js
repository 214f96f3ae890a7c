import assert from "node:assert/strict";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { test } from "node:test";
import { serveOfflinePopup } from "./offline-popup.js";

const require = createRequire(import.meta.url);
const { createApp } = require("firebase-tools/lib/emulator/auth/server");
const { SingleProjectMode } = require("firebase-tools/lib/emulator/auth");
const { AgentProjectState } = require("firebase-tools/lib/emulator/auth/state");

const PROJECT = "demo-porchlight";

test("popup pages load nothing from other hosts", async (context) => {
  const project = new AgentProjectState(PROJECT);
  const app = await createApp(PROJECT, SingleProjectMode.ERROR, new Map([[PROJECT, project]]));
  const server = createServer(serveOfflinePopup(app)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  context.after(() => (server.close(), server.closeAllConnections()));
  const base = `http://127.0.0.1:${server.address().port}`;

  for (const page of ["handler?apiKey=local&providerId=google.com", "iframe?apiKey=local&appName=x"]) {
    const text = await (await fetch(`${base}/emulator/auth/${page}`)).text();
    assert.deepEqual(text.match(/(?:src|href)="?https?:[^>]*/g), null, page);
  }
  assert.match(await (await fetch(`${base}/emulator/auth/iframe?apiKey=local`)).text(), /src="\/js\/api\.js"/);
  const stub = await fetch(`${base}/js/api.js?onload=ready`);
  assert.match(stub.headers.get("content-type"), /javascript/);
  assert.match(await stub.text(), /CROSS_ORIGIN_IFRAMES_FILTER/);
});
