export { useBilling } from "./api/get-billing";
export { OverLimitBadge } from "./components/over-limit-badge";
export { PlanUsage } from "./components/plan-usage";
export { PremiumBadge } from "./components/premium-badge";
export { SupportPromise } from "./components/support-promise";
