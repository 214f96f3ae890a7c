"""The script of a preview: it disables links and forms, and reports the scroll position to the console."""

from __future__ import annotations

from html import escape
from typing import Final

SCRIPT_PATH: Final = "/_preview.js"

# The console replaces the frame at every change. `#y=` is the scroll position of the previous one.
SCRIPT: Final = rb"""(() => {
  const owner = document.currentScript.dataset.framedBy;
  const position = /[#&]y=(\d{1,6})/.exec(location.hash);
  if (position) scrollTo(0, Number(position[1]));
  const notify = (event) => parent.postMessage({ preview: event, y: Math.round(scrollY) }, owner);
  addEventListener("scroll", () => notify("scrolled"), { passive: true });
  for (const kind of ["click", "auxclick", "submit"]) {
    addEventListener(kind, (event) => event.target.closest("a, button, form") && event.preventDefault(), true);
  }
  notify("ready");
})();
"""


def script_element(framed_by: str) -> bytes:
    """Return the element that loads the script. `framed_by` is the origin that gets its messages."""
    return f'<script src="{SCRIPT_PATH}" data-framed-by="{escape(framed_by)}" defer></script>'.encode()
