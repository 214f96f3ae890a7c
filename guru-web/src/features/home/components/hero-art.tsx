import { GuruLogo } from "../../../components/guru-logo";
import type { Theme } from "../../../lib/types";

/** The guru's photo or logo on a background in the theme's colors. `photoUrl` is "" without a photo. */
export function HeroArt({ theme, photoUrl }: { theme: Theme; photoUrl: string }) {
  return (
    <div className="hero-art" aria-hidden="true">
      <svg viewBox="0 0 400 400">
        <radialGradient id="hero-art-gradient">
          <stop className="hero-art-light" />
          <stop className="hero-art-dark" offset="1" />
        </radialGradient>
        <circle className="hero-art-disc" cx="200" cy="200" r="192" />
        <circle cx="200" cy="200" r="192" fill="url(#hero-art-gradient)" />
        <g className="hero-art-rings">
          <circle cx="200" cy="200" r="88" />
          <circle cx="200" cy="200" r="122" />
          <circle cx="200" cy="200" r="157" />
        </g>
        <g className="hero-art-dots">
          <circle cx="286" cy="113" r="6" />
          <circle cx="58" cy="266" r="9" />
          <circle cx="316" cy="305" r="4" />
        </g>
        <g className="hero-art-dots-secondary">
          <circle cx="114" cy="113" r="4" />
          <circle cx="353" cy="163" r="8" />
          <circle cx="183" cy="356" r="5" />
        </g>
      </svg>
      {photoUrl === "" ? (
        <GuruLogo theme={theme} large />
      ) : (
        // The photo is on another host. Low priority keeps it from delaying the text, and React from preloading it.
        <img className="hero-photo" src={photoUrl} alt="" referrerPolicy="no-referrer" fetchPriority="low" />
      )}
    </div>
  );
}

/** The guru's photo or logo beside the name, on screens too narrow for `HeroArt`. */
export function HeroPortrait({ theme, photoUrl }: { theme: Theme; photoUrl: string }) {
  return (
    <span className="hero-portrait" aria-hidden="true">
      {photoUrl === "" ? (
        <GuruLogo theme={theme} />
      ) : (
        <img src={photoUrl} alt="" referrerPolicy="no-referrer" fetchPriority="low" />
      )}
    </span>
  );
}
