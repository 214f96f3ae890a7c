import { Link } from "react-router-dom";
import { paths } from "@/config/paths";

type NotAllShownProps = { count: number; what: "newest" | "next" };

/** Says that a list of the user's own data ends early, and where the rest is. */
export function NotAllShown({ count, what }: NotAllShownProps) {
  return (
    <p>
      Showing the {what} {count}. To see them all, <Link to={paths.profile}>download your data</Link> on your profile
      page.
    </p>
  );
}
