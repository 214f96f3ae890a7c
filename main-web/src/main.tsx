import "@porchlight/shared/tokens.css";
import "./ui/base.css";
import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";

const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

// React, the app and its first drawing are tasks of their own, and the drawing is done in slices: on a slow phone the
// page answers in between.
const { Providers } = await import("./app/providers");
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <Providers />
    </StrictMode>,
  ),
);
