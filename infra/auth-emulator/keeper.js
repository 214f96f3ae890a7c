import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { createServer } from "node:http";

/** Keeps an emulator project's accounts and pending mail codes in a file: what was answered survives a kill -9. */
export class Keeper {
  /**
   * @param {string} path the file
   * @param {import("firebase-tools/lib/emulator/auth/state").AgentProjectState} project
   */
  constructor(path, project) {
    this.path = path;
    this.project = project;
    this.written = "";
  }

  /** Brings back what an earlier run kept. */
  restore() {
    if (!existsSync(this.path)) return;
    this.written = readFileSync(this.path, "utf8");
    const kept = JSON.parse(this.written);
    for (const user of kept.users) {
      const { localId, ...rest } = user;
      this.project.overwriteUserWithLocalId(localId, rest);
    }
    for (const code of kept.codes) this.project.oobs.set(code.oobCode, code);
  }

  /** Writes the file if anything changed since the last time. */
  keep() {
    const text = JSON.stringify({ users: [...this.project.users.values()], codes: [...this.project.oobs.values()] });
    if (text === this.written) return;
    const fresh = `${this.path}.new`;
    const file = openSync(fresh, "w", 0o600);
    writeSync(file, text);
    fsyncSync(file);
    closeSync(file);
    renameSync(fresh, this.path);
    this.written = text;
  }

  /** A server that lets `app` answer, and keeps what changed before an answer leaves. */
  guard(app) {
    return createServer((request, response) => {
      if (request.method !== "GET" && request.method !== "OPTIONS") {
        const end = response.end;
        response.end = (...args) => {
          this.keep();
          return end.apply(response, args);
        };
      }
      app(request, response);
    });
  }
}
