import { Mark } from "./mark";

/** Full-page loading screen (SPEC 2.1 gives the default message). */
export function Splash({ message = "Loading your skill-sharing platform..." }: { message?: string }) {
  return (
    <div className="splash splash-page" role="status">
      <Mark size={56} className="splash-mark" />
      <p>{message}</p>
    </div>
  );
}
