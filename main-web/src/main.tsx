import "@porchlight/shared/tokens.css";
import "./components/ui/base.css";
import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// React, the app and the first render are separate tasks, and rendering is interruptible, so that slow phones stay
// responsive.
const { Providers } = await import("./app/providers");
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <Providers />
    </StrictMode>,
  ),
);
