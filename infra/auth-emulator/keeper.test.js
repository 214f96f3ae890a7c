import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Keeper } from "./keeper.js";

const require = createRequire(import.meta.url);
const { createApp } = require("firebase-tools/lib/emulator/auth/server");
const { SingleProjectMode } = require("firebase-tools/lib/emulator/auth");
const { AgentProjectState } = require("firebase-tools/lib/emulator/auth/state");

const PROJECT = "demo-porchlight";

async function start(folder) {
  const project = new AgentProjectState(PROJECT);
  project.enableImprovedEmailPrivacy = true;
  const keeper = new Keeper(join(folder, "accounts.json"), project);
  keeper.restore();
  const app = await createApp(PROJECT, SingleProjectMode.ERROR, new Map([[PROJECT, project]]));
  const server = keeper.guard(app).listen(0, "127.0.0.1");
  await new Promise((listening) => server.once("listening", listening));
  const base = `http://127.0.0.1:${server.address().port}`;
  const call = async (path, body) => {
    const answer = await fetch(`${base}/identitytoolkit.googleapis.com/v1/accounts:${path}?key=local`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  // Cut off, not closed: nothing is written on the way out.
  return { base, call, stop: () => new Promise((closed) => (server.close(closed), server.closeAllConnections())) };
}

test("accounts, passwords and pending codes are there after a restart", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "auth-emulator-"));
  context.after(() => rmSync(folder, { recursive: true }));
  const ada = { email: "ada@example.com", password: "a porch light", returnSecureToken: true };

  const first = await start(folder);
  const signedUp = await first.call("signUp", ada);
  assert.equal(signedUp.status, 200);
  await first.call("sendOobCode", { requestType: "PASSWORD_RESET", email: ada.email });
  await first.stop();
  assert.deepEqual(readdirSync(folder), ["accounts.json"]);

  const second = await start(folder);
  const signedIn = await second.call("signInWithPassword", ada);
  assert.equal(signedIn.status, 200);
  assert.equal(signedIn.body.localId, signedUp.body.localId);
  const wrong = await second.call("signInWithPassword", { ...ada, password: "another light" });
  assert.equal(wrong.body.error.message, "INVALID_LOGIN_CREDENTIALS");
  const codes = await (await fetch(`${second.base}/emulator/v1/projects/${PROJECT}/oobCodes`)).json();
  assert.equal(codes.oobCodes.length, 1);
  const reset = await second.call("resetPassword", { oobCode: codes.oobCodes[0].oobCode, newPassword: "a new light" });
  assert.equal(reset.status, 200);
  await second.stop();

  const third = await start(folder);
  assert.equal((await third.call("signInWithPassword", { ...ada, password: "a new light" })).status, 200);
  assert.equal((await (await fetch(`${third.base}/emulator/v1/projects/${PROJECT}/oobCodes`)).json()).oobCodes.length, 0);
  await third.stop();
});

test("answers do not tell whether an address has an account", async (context) => {
  const folder = mkdtempSync(join(tmpdir(), "auth-emulator-"));
  const emulator = await start(folder);
  context.after(async () => {
    await emulator.stop();
    rmSync(folder, { recursive: true });
  });
  const nobody = { email: "nobody@example.com", password: "a porch light" };
  const signIn = await emulator.call("signInWithPassword", nobody);
  assert.equal(signIn.body.error.message, "INVALID_LOGIN_CREDENTIALS");
  const reset = await emulator.call("sendOobCode", { requestType: "PASSWORD_RESET", email: nobody.email });
  assert.equal(reset.status, 200);
});
