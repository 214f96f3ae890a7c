export { PushOffer } from "./components/push-offer";
