import { Logo } from "./logo";

/** The full-page loading screen (SPEC 2.1 gives the default message). */
export function Splash({ message = "Loading your skill-sharing platform..." }: { message?: string }) {
  return (
    <div className="splash splash-page" role="status">
      <Logo size={56} className="splash-mark" />
      <p>{message}</p>
    </div>
  );
}
