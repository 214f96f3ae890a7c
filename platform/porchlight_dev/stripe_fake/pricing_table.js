const css = `
:host { display: block; font: 16px/1.5 system-ui, sans-serif; color: #1a1f36 }
.note { margin: 0 0 1rem; text-align: center; color: #4f5b76; font-size: .875rem }
.switch { display: flex; justify-content: center; gap: .5rem; margin: 0 0 1.5rem; border: 0; padding: 0 }
.switch button { border: 1px solid #8792a2; border-radius: 99px; background: #fff; color: inherit; padding: .5rem 1.25rem; font: inherit; cursor: pointer }
.switch button[aria-pressed=true] { background: #0a2540; border-color: #0a2540; color: #fff }
.plans { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1rem; list-style: none; margin: 0; padding: 0 }
.plan { background: #fff; border: 1px solid #dfe5ee; border-radius: .75rem; padding: 1.5rem; text-align: center }
h3 { margin: 0; font-size: 1.125rem }
.amount { margin: .5rem 0 1.25rem; font-size: 1.75rem; font-weight: 600 }
.amount small { font-size: .875rem; font-weight: 400; color: #4f5b76 }
a { display: block; padding: .625rem 1rem; border-radius: .5rem; background: #0055de; color: #fff; font-weight: 600; text-decoration: none }
a:focus-visible, button:focus-visible { outline: 3px solid #0055de; outline-offset: 2px }
`;

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

class StripePricingTable extends HTMLElement {
  static observedAttributes = ["pricing-table-id", "publishable-key", "client-reference-id", "customer-session-client-secret", "customer-email"];

  constructor() {
    super();
    this.interval = "month";
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
  }

  connectedCallback() {
    this.render();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.render();
  }

  checkoutUrl(plan) {
    const url = new URL(settings.checkout);
    const values = {
      price: plan.price,
      reference: this.getAttribute("client-reference-id"),
      customer_session: this.getAttribute("customer-session-client-secret"),
      email: this.getAttribute("customer-email"),
      back: location.origin + location.pathname,
    };
    for (const [name, value] of Object.entries(values)) if (value) url.searchParams.set(name, value);
    return url.href;
  }

  render() {
    const known = this.getAttribute("pricing-table-id") === settings.table && this.getAttribute("publishable-key") === settings.key;
    if (!known) {
      this.shadowRoot.replaceChildren(element("p", "The local Stripe does not know this pricing table.", { class: "note", role: "alert" }));
      return;
    }
    const choice = element("div", "", { class: "switch", role: "group", "aria-label": "Billing interval" });
    for (const [interval, label] of [["month", "Monthly"], ["year", "Yearly"]]) {
      const button = element("button", label, { type: "button", "aria-pressed": String(interval === this.interval) });
      button.addEventListener("click", () => {
        this.interval = interval;
        this.render();
        this.shadowRoot.querySelector("[aria-pressed=true]").focus();
      });
      choice.append(button);
    }
    const list = element("ul", "", { class: "plans" });
    for (const plan of settings.plans.filter((candidate) => candidate.interval === this.interval)) {
      const item = element("li", "", { class: "plan" });
      const amount = element("p", plan.amount, { class: "amount" });
      amount.append(" ", element("small", `per ${plan.interval}`));
      item.append(element("h3", plan.name), amount, element("a", "Subscribe", { href: this.checkoutUrl(plan), "aria-label": `Subscribe to ${plan.name}` }));
      list.append(item);
    }
    this.shadowRoot.replaceChildren(element("p", "Local stand-in for Stripe, no real money", { class: "note" }), choice, list);
  }
}

if (!customElements.get("stripe-pricing-table")) customElements.define("stripe-pricing-table", StripePricingTable);
