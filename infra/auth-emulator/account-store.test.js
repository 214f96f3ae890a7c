import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { AccountStore } from "./account-store.js";

const require = createRequire(import.meta.url);
const { createApp } = require("firebase-tools/lib/emulator/auth/server");
const { SingleProjectMode } = require("firebase-tools/lib/emulator/auth");
const { AgentProjectState } = require("firebase-tools/lib/emulator/auth/state");

const PROJECT = "demo-porchlight";

// The app reads the state of a project at each request, so a restart is a new state for the same app: creating the app
// compiles the whole API document, which takes seconds.
const projects = new Map();
const app = await createApp(PROJECT, SingleProjectMode.ERROR, projects);

async function startEmulator(folder) {
  const project = new AgentProjectState(PROJECT);
  project.enableImprovedEmailPrivacy = true;
  const store = new AccountStore(join(folder, "accounts.json"), project);
  store.load();
  projects.set(PROJECT, project);
  const server = store.createServer(app).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const base = `http://127.0.0.1:${server.address().port}`;
  const post = async (path, body) => {
    const response = await fetch(`${base}/identitytoolkit.googleapis.com/v1/accounts:${path}?key=local`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  // Connections are cut without a graceful shutdown, so nothing is saved on exit.
  return { base, post, stop: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())) };
}

test("accounts and pending codes survive a restart", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "auth-emulator-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const ada = { email: "ada@example.com", password: "a porch light", returnSecureToken: true };

  const first = await startEmulator(folder);
  const signedUp = await first.post("signUp", ada);
  assert.equal(signedUp.status, 200);
  await first.post("sendOobCode", { requestType: "PASSWORD_RESET", email: ada.email });
  await first.stop();
  assert.deepEqual(readdirSync(folder), ["accounts.json"]);

  const second = await startEmulator(folder);
  const signedIn = await second.post("signInWithPassword", ada);
  assert.equal(signedIn.status, 200);
  assert.equal(signedIn.body.localId, signedUp.body.localId);
  const wrong = await second.post("signInWithPassword", { ...ada, password: "another light" });
  assert.equal(wrong.body.error.message, "INVALID_LOGIN_CREDENTIALS");
  const codes = await (await fetch(`${second.base}/emulator/v1/projects/${PROJECT}/oobCodes`)).json();
  assert.equal(codes.oobCodes.length, 1);
  const reset = await second.post("resetPassword", { oobCode: codes.oobCodes[0].oobCode, newPassword: "a new light" });
  assert.equal(reset.status, 200);
  await second.stop();

  const third = await startEmulator(folder);
  assert.equal((await third.post("signInWithPassword", { ...ada, password: "a new light" })).status, 200);
  assert.equal(
    (await (await fetch(`${third.base}/emulator/v1/projects/${PROJECT}/oobCodes`)).json()).oobCodes.length,
    0,
  );
  await third.stop();
});

test("responses do not reveal whether an email has an account", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "auth-emulator-"));
  const emulator = await startEmulator(folder);
  context.after(async () => {
    await emulator.stop();
    rmSync(folder, { recursive: true });
  });
  const unknown = { email: "unknown@example.com", password: "a porch light" };
  const signIn = await emulator.post("signInWithPassword", unknown);
  assert.equal(signIn.body.error.message, "INVALID_LOGIN_CREDENTIALS");
  const reset = await emulator.post("sendOobCode", { requestType: "PASSWORD_RESET", email: unknown.email });
  assert.equal(reset.status, 200);
});
