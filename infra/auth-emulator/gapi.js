// A stand-in for https://apis.google.com/js/api.js: of Google's library just what Firebase's popup needs (gapi.iframes),
// so that "Continue with Google" works against the emulator without the network. Loaded by the page that signs in and by
// the emulator's helper frame inside it; the two talk by postMessage, each with the other's origin alone.
(() => {
  if (window.gapi) return;

  /** One end of the conversation between a page and a frame in it. */
  class Iframe {
    constructor(peer, origin) {
      this.peer = peer;
      this.origin = origin;
      this.handlers = new Map();
      this.early = []; // what was said before anybody listened to it
      this.waiting = new Map();
      this.count = 0;
      this.met = new Promise((resolve) => (this.meet = resolve));
      window.addEventListener("message", (event) => this.heard(event));
    }

    heard(event) {
      if (event.source !== this.peer() || event.origin !== this.origin) return;
      const said = event.data?.gapi;
      if (!said) return;
      if (said.hello) {
        if (!said.again) this.say({ hello: true, again: true });
        this.meet();
      } else if (said.answers !== undefined) {
        const answered = this.waiting.get(said.answers);
        this.waiting.delete(said.answers);
        try {
          answered?.([said.data]);
        } catch {
          // As Google's library does: Firebase throws here after every answer it was content with.
        }
      } else if (this.handlers.has(said.name)) void this.handle(said);
      else this.early.push(said);
    }

    async handle({ name, id, data }) {
      const answer = await this.handlers.get(name)(data);
      this.say({ answers: id, data: answer });
    }

    say(words) {
      this.peer()?.postMessage({ gapi: words }, this.origin);
    }

    register(name, handler) {
      this.handlers.set(name, handler);
      const kept = this.early.filter((said) => said.name === name);
      this.early = this.early.filter((said) => said.name !== name);
      for (const said of kept) void this.handle(said);
    }

    /** Calls `answered` with the list of answers, as Google's does. */
    async send(name, data, answered) {
      const id = ++this.count;
      if (answered) this.waiting.set(id, answered);
      await this.met;
      this.say({ name, id, data });
    }

    async ping(answered) {
      await this.met;
      answered?.();
      return [];
    }

    async restyle() {
      return [];
    }
  }

  let parentFrame = null;

  const context = {
    /** Puts a frame into the page; resolves to what `opened` makes of it. */
    open({ where, url, attributes = {} }, opened) {
      const { style = {}, ...others } = attributes;
      const element = document.createElement("iframe");
      for (const [name, value] of Object.entries(others)) element.setAttribute(name, value);
      Object.assign(element.style, style, { border: "0" });
      element.src = url;
      where.append(element);
      return Promise.resolve(opened(new Iframe(() => element.contentWindow, new URL(url).origin)));
    },

    /** From inside a frame: the page around it. */
    getParentIframe() {
      const origin = location.ancestorOrigins?.[0] ?? new URL(document.referrer).origin;
      if (!parentFrame) {
        parentFrame = new Iframe(() => window.parent, origin);
        parentFrame.say({ hello: true });
      }
      return parentFrame;
    },
  };

  window.gapi = {
    load(_name, options) {
      (typeof options === "function" ? options : options.callback)();
    },
    iframes: { Iframe, CROSS_ORIGIN_IFRAMES_FILTER: () => true, getContext: () => context },
  };

  try {
    void window.sessionStorage;
  } catch {
    // A browser that keeps frames of other sites from storing anything. The emulator's frame needs it for redirects only.
    Object.defineProperty(window, "sessionStorage", { value: {} });
  }

  const named = new URL(document.currentScript.src).searchParams.get("onload");
  window[named ?? "gapi_onload"]?.();
})();
