import { createRequire } from "node:module";

/**
 * Make the emulator's start cheap; call it before the emulator is loaded. By default, the emulator compiles a validator
 * for each parameter and body of its API, and for each of them checks the schema against JSON Schema's own, which is
 * four fifths of its start. The schemas are the vendor's and do not change, and most of the API is never called.
 *
 * @param {NodeJS.Require} require
 * @returns {{ count: number }} how many validators were compiled so far
 */
export function makeStartCheap(require) {
  // Tenants, other identity providers and passkeys: Porchlight does not use them.
  const { paths } = require("firebase-tools/lib/emulator/auth/apiSpec").default;
  for (const path of Object.keys(paths)) {
    if (/\/tenants|IdpConfigs|SamlConfigs|passkey/i.test(path)) delete paths[path];
  }
  // The copies that the emulator loads, wherever npm has put them.
  const requireOfEmulator = createRequire(require.resolve("firebase-tools/lib/emulator/auth/apiSpec"));
  const express = requireOfEmulator("exegesis-express");
  const { middleware } = express;
  express.middleware = (document, options) => middleware(document, { ...options, lazyCompileValidationSchemas: true });
  const requireOfExpress = createRequire(requireOfEmulator.resolve("exegesis-express"));
  const { prototype } = createRequire(requireOfExpress.resolve("exegesis"))("ajv").default;
  const compiled = { count: 0 };
  const { compile } = prototype;
  prototype.compile = function (...args) {
    compiled.count += 1;
    return compile.apply(this, args);
  };
  prototype.validateSchema = () => true;
  return compiled;
}
