import { UserRound } from "lucide-react";
import { Placeholder } from "../../ui/placeholder";

/** What stands here until profiles can be edited (SPEC 2.7). */
export function ProfilePage() {
  return (
    <Placeholder
      icon={UserRound}
      title="Profile Management Coming Soon"
      description="Your Porchlight profile."
      text="Soon you will set your name, photo, skills and neighborhood here, and choose what others may see."
    />
  );
}
