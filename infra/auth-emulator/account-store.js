import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { createServer } from "node:http";

/** Stores an emulator project's accounts and pending email codes in a file, so that they survive restarts and kill -9. */
export class AccountStore {
  /**
   * @param {string} path the file
   * @param {import("firebase-tools/lib/emulator/auth/state").AgentProjectState} project
   */
  constructor(path, project) {
    this.path = path;
    this.project = project;
    this.savedText = "";
  }

  /** Load the accounts and codes of an earlier run into the project. */
  load() {
    if (!existsSync(this.path)) return;
    this.savedText = readFileSync(this.path, "utf8");
    const saved = JSON.parse(this.savedText);
    for (const user of saved.users) {
      const { localId, ...rest } = user;
      this.project.overwriteUserWithLocalId(localId, rest);
    }
    for (const code of saved.codes) this.project.oobs.set(code.oobCode, code);
  }

  /** Write the file atomically if the project has changed since the last save. */
  save() {
    const text = JSON.stringify({ users: [...this.project.users.values()], codes: [...this.project.oobs.values()] });
    if (text === this.savedText) return;
    const temporaryPath = `${this.path}.new`;
    const file = openSync(temporaryPath, "w", 0o600);
    writeSync(file, text);
    fsyncSync(file);
    closeSync(file);
    renameSync(temporaryPath, this.path);
    this.savedText = text;
  }

  /** Create an HTTP server for `app` that saves changes before it sends the response to a write request. */
  createServer(app) {
    return createServer((request, response) => {
      if (request.method !== "GET" && request.method !== "OPTIONS") {
        const end = response.end;
        response.end = (...args) => {
          this.save();
          return end.apply(response, args);
        };
      }
      app(request, response);
    });
  }
}
