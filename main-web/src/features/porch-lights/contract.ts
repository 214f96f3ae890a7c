export { usePorchLights, type PorchLight } from "./api/get-porch-lights";
export { LitBadge } from "./components/lit-badge";
export { PorchLightCard } from "./components/porch-light-card";
