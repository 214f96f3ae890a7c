import { boot } from "./boot";

// The script of prerendered pages. Inline, because a file of its own would delay the app by a round trip; the content
// security policy has its hash.
const root = document.getElementById("root");
if (root) boot(root);
