import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { makeStartCheap } from "./cheap-start.js";

const require = createRequire(import.meta.url);
const compiled = makeStartCheap(require);
const { createApp } = require("firebase-tools/lib/emulator/auth/server");
const { SingleProjectMode } = require("firebase-tools/lib/emulator/auth");
const { AgentProjectState } = require("firebase-tools/lib/emulator/auth/state");
const PROJECT = "demo-porchlight";

test("validators are compiled by the first call that needs them, and refuse what they should", async (context) => {
  const projects = new Map([[PROJECT, new AgentProjectState(PROJECT)]]);
  const app = await createApp(PROJECT, SingleProjectMode.ERROR, projects);
  assert.equal(compiled.count, 0);
  const server = app.listen(0, "127.0.0.1");
  context.after(() => server.close());
  await new Promise((resolve) => server.once("listening", resolve));

  const post = (body) =>
    fetch(`http://127.0.0.1:${server.address().port}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=local`, {
      method: "POST",
      headers: { "content-type": "application/json", connection: "close" },
      body: JSON.stringify(body),
    });
  const refused = await post({ email: {} });
  assert.equal(refused.status, 400);
  assert.match((await refused.json()).error.message, /Invalid JSON payload received/);
  assert.ok(compiled.count > 0);
  assert.equal((await post({ email: "ada@example.com", password: "a porch light" })).status, 200);
});
