"""The one script of a preview: it keeps a still page still, and remembers how far down its guru has scrolled."""

from __future__ import annotations

from html import escape
from typing import Final

SCRIPT_PATH: Final = "/_preview.js"

# The console puts a new frame in the place of the old one at every change: `#y=` says where the old one was.
SCRIPT: Final = rb"""(() => {
  const owner = document.currentScript.dataset.framedBy;
  const at = /[#&]y=(\d{1,6})/.exec(location.hash);
  if (at) scrollTo(0, Number(at[1]));
  const tell = (what) => parent.postMessage({ preview: what, y: Math.round(scrollY) }, owner);
  addEventListener("scroll", () => tell("scrolled"), { passive: true });
  for (const kind of ["click", "auxclick", "submit"]) {
    addEventListener(kind, (event) => event.target.closest("a, button, form") && event.preventDefault(), true);
  }
  tell("ready");
})();
"""


def script_element(framed_by: str) -> bytes:
    """The element that loads the script. `framed_by` is the origin it talks to."""
    return f'<script src="{SCRIPT_PATH}" data-framed-by="{escape(framed_by)}" defer></script>'.encode()
