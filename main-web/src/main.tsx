import "@porchlight/shared/tokens.css";
import "@porchlight/shared/fonts.css";
import "./components/ui/base.css";
// The app's largest part; a static import makes its evaluation a task of its own.
import "react-dom/client";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// React, the app and the first render are separate tasks, and rendering is interruptible, so that slow phones stay
// responsive.
const { start } = await import("./app/start");
await start(root);
