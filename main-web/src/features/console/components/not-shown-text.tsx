import { Link } from "react-router-dom";
import { paths } from "@/config/paths";

/** Tells a guru why visitors see no services and free times. */
export function NotShownText() {
  return (
    <>
      Visitors see your services and free times once one of your categories is approved.{" "}
      <Link to={paths.onboardingRequirements}>Check your documents</Link>
    </>
  );
}
