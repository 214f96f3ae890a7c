import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

import js from "@eslint/js";
import importX, { createNodeResolver } from "eslint-plugin-import-x";
import jsxA11y from "eslint-plugin-jsx-a11y";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const MAIN_WEB_SOURCE = fileURLToPath(new URL("./main-web/src", import.meta.url));

/** The layers of both webs, lowest first. A folder imports from its own layer and from lower ones. */
const LAYERS = [["config", "lib"], ["components"], ["features"], ["app"]];

/**
 * Restrict imports to `config, lib -> components -> features -> app`. A feature imports another one only through its
 * `contract.ts`, which names what others may use.
 */
function zones(web) {
  const source = `./${web}/src`;
  const features = new URL(`${source}/features/`, import.meta.url);
  const names = existsSync(features)
    ? readdirSync(features, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    : [];
  return [
    ...LAYERS.flatMap((layer, index) => {
      const higher = LAYERS.slice(index + 1).flat();
      return layer.flatMap((target) =>
        higher.map((from) => ({
          target: `${source}/${target}`,
          from: `${source}/${from}`,
          message: `${target}/ does not import from ${from}/.`,
        })),
      );
    }),
    ...names.map(({ name }) => ({
      target: `${source}/features/${name}`,
      from: `${source}/features/!(${name})/**/*`,
      except: ["**/features/*/contract.ts"],
      message: "A feature imports another feature only through its contract.ts.",
    })),
  ];
}

const ZONES = {
  selector: "Property[key.name='timeZone']:not([value.value='UTC'])",
  message: "Browsers have other tables of time zones than the API. Format wallMs() of shared/format/zones in UTC.",
};

const CALL = "CallExpression[callee.object.name=/^(api|plainApi)$/]";

/** Calls of the API whose types would be a claim: the path decides what a call takes and returns. */
const UNTYPED_CALLS = [
  {
    selector: `${CALL}[typeArguments]`,
    message: "The path decides the type of a call. Give the API a response model where it has none.",
  },
  {
    selector: [
      `TSAsExpression > ${CALL}`,
      `TSAsExpression > AwaitExpression > ${CALL}`,
      "TSAsExpression > AwaitExpression > CallExpression[callee.property.name='json']",
    ].join(", "),
    message: "The path decides the type of an answer. Correct the response model of the API instead.",
  },
  {
    selector: `${CALL}:not([arguments.0.type='Literal'])`,
    message: "Name the path as the API describes it, and give its parameters in params.path.",
  },
  {
    selector: [
      "CallExpression[callee.name='fetch'][arguments.0.value=/^.api./]",
      "CallExpression[callee.name='fetch'] > TemplateLiteral[quasis.0.value.raw=/^.api./]",
    ].join(", "),
    message: "Call the API with the client, which knows its types.",
  },
];

export default tseslint.config(
  {
    ignores: [
      "**/node_modules",
      "**/dist",
      "**/dev-dist",
      "**/dist-ssr",
      "**/out",
      "**/.next",
      "**/next-env.d.ts",
      "**/*.gen.ts",
    ],
  },
  js.configs.recommended,
  {
    files: ["{main-web,guru-web}/**/*.{ts,tsx}"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    plugins: { "import-x": importX },
    settings: {
      "import-x/resolver-next": [
        createNodeResolver({ extensions: [".ts", ".tsx", ".js", ".json"], alias: { "@": [MAIN_WEB_SOURCE] } }),
      ],
    },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/consistent-type-definitions": "off",
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      // An empty string is as good as none in what people type.
      "@typescript-eslint/prefer-nullish-coalescing": ["error", { ignorePrimitives: { string: true } }],
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "import-x/no-duplicates": ["error", { "prefer-inline": true }],
      "import-x/no-restricted-paths": [
        "error",
        { basePath: import.meta.dirname, zones: [...zones("main-web"), ...zones("guru-web")] },
      ],
      "import-x/no-cycle": "error",
      "import-x/order": [
        "error",
        {
          groups: [
            ["builtin", "external"],
            ["parent", "sibling", "index"],
          ],
          pathGroups: [{ pattern: "@/**", group: "parent", position: "before" }],
        },
      ],
      eqeqeq: "error",
      // SPEC 8 has failures that are only logged.
      "no-console": ["error", { allow: ["warn", "error"] }],
      "no-restricted-syntax": ["error", ZONES, ...UNTYPED_CALLS],
    },
  },
  {
    files: ["{main-web,guru-web}/**/*.tsx"],
    extends: [jsxA11y.flatConfigs.strict, reactHooks.configs.flat["recommended-latest"]],
  },
  {
    // A longer component or hook has parts with names of their own.
    files: ["{main-web,guru-web}/**/*.{ts,tsx}"],
    ignores: ["**/*.test.{ts,tsx}", "main-web/src/testing/**"],
    rules: { "max-lines-per-function": ["error", { max: 120, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ["{main-web,guru-web}/**/*.test.{ts,tsx}"],
    rules: { "@typescript-eslint/require-await": "off" },
  },
  {
    // Tests let the API answer what they want, and one of them fails every call in turn.
    files: ["{main-web,guru-web}/**/*.test.{ts,tsx}", "main-web/src/testing/**"],
    rules: { "no-restricted-syntax": ["error", ZONES] },
  },
  {
    // These tests render what a lower layer reports, such as a toast, or open the page that shows a feature.
    files: ["{main-web,guru-web}/src/{lib,features}/**/*.test.{ts,tsx}"],
    rules: { "import-x/no-restricted-paths": "off" },
  },
  {
    files: ["{main-web,guru-web}/**/*.{js,mjs}", "eslint.config.js"],
    languageOptions: { globals: { console: "readonly", process: "readonly", URL: "readonly" } },
  },
);
