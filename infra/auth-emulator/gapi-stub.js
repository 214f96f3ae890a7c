// A stub of https://apis.google.com/js/api.js: only the part of Google's library that Firebase's popup uses (gapi.iframes),
// so that "Continue with Google" works with the emulator and without network access. It is loaded by the page that signs
// in and by the emulator's helper frame inside it. The two exchange messages by postMessage, restricted to each other's
// origin.
(() => {
  if (window.gapi) return;

  /** One end of the message channel between a page and a frame in it. */
  class Iframe {
    constructor(getPeer, origin) {
      this.getPeer = getPeer;
      this.origin = origin;
      this.handlers = new Map();
      this.queue = []; // messages received before their handler is registered
      this.callbacks = new Map();
      this.lastId = 0;
      this.connected = new Promise((resolve) => (this.resolveConnected = resolve));
      window.addEventListener("message", (event) => this.onMessage(event));
    }

    onMessage(event) {
      if (event.source !== this.getPeer() || event.origin !== this.origin) return;
      const message = event.data?.gapi;
      if (!message) return;
      if (message.hello) {
        if (!message.isReply) this.postMessage({ hello: true, isReply: true });
        this.resolveConnected();
      } else if (message.replyTo !== undefined) {
        const callback = this.callbacks.get(message.replyTo);
        this.callbacks.delete(message.replyTo);
        try {
          callback?.([message.data]);
        } catch {
          // Google's library ignores this too: Firebase throws here even after successful replies.
        }
      } else if (this.handlers.has(message.name)) void this.handle(message);
      else this.queue.push(message);
    }

    async handle({ name, id, data }) {
      const reply = await this.handlers.get(name)(data);
      this.postMessage({ replyTo: id, data: reply });
    }

    postMessage(message) {
      this.getPeer()?.postMessage({ gapi: message }, this.origin);
    }

    register(name, handler) {
      this.handlers.set(name, handler);
      const queued = this.queue.filter((message) => message.name === name);
      this.queue = this.queue.filter((message) => message.name !== name);
      for (const message of queued) void this.handle(message);
    }

    /** Send a message. Like Google's library, call `callback` with a list of replies. */
    async send(name, data, callback) {
      const id = ++this.lastId;
      if (callback) this.callbacks.set(id, callback);
      await this.connected;
      this.postMessage({ name, id, data });
    }

    async ping(callback) {
      await this.connected;
      callback?.();
      return [];
    }

    async restyle() {
      return [];
    }
  }

  let parentIframe = null;

  const context = {
    /** Insert a frame into the page; resolves to the result of `onOpen`. */
    open({ where, url, attributes = {} }, onOpen) {
      const { style = {}, ...otherAttributes } = attributes;
      const element = document.createElement("iframe");
      for (const [name, value] of Object.entries(otherAttributes)) element.setAttribute(name, value);
      Object.assign(element.style, style, { border: "0" });
      element.src = url;
      where.append(element);
      return Promise.resolve(onOpen(new Iframe(() => element.contentWindow, new URL(url).origin)));
    },

    /** Inside a frame: the channel to the page that contains it. */
    getParentIframe() {
      const origin = location.ancestorOrigins?.[0] ?? new URL(document.referrer).origin;
      if (!parentIframe) {
        parentIframe = new Iframe(() => window.parent, origin);
        parentIframe.postMessage({ hello: true });
      }
      return parentIframe;
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
    // The browser blocks storage in third-party frames. The emulator's frame uses it only for redirects.
    Object.defineProperty(window, "sessionStorage", { value: {} });
  }

  const onloadName = new URL(document.currentScript.src).searchParams.get("onload");
  window[onloadName ?? "gapi_onload"]?.();
})();
