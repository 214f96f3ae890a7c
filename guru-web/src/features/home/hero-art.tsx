import { GuruMark } from "../../site/guru-mark";
import type { Theme } from "../../site/types";

/** The guru's picture, or their sign, under a porch light in their colours. `photo` is its address, or "". */
export function HeroArt({ theme, photo }: { theme: Theme; photo: string }) {
  return (
    <div className="art" aria-hidden="true">
      <svg viewBox="0 0 400 400">
        <radialGradient id="art-light">
          <stop className="art-light" />
          <stop className="art-dark" offset="1" />
        </radialGradient>
        <circle className="art-disc" cx="200" cy="200" r="192" />
        <circle cx="200" cy="200" r="192" fill="url(#art-light)" />
        <g className="art-rings">
          <circle cx="200" cy="200" r="88" />
          <circle cx="200" cy="200" r="122" />
          <circle cx="200" cy="200" r="157" />
          <circle cx="200" cy="200" r="192" />
        </g>
        <g className="art-dots">
          <circle cx="286" cy="113" r="6" />
          <circle cx="58" cy="266" r="9" />
          <circle cx="316" cy="305" r="4" />
        </g>
        <g className="art-dots-two">
          <circle cx="114" cy="113" r="4" />
          <circle cx="353" cy="163" r="8" />
          <circle cx="183" cy="356" r="5" />
        </g>
      </svg>
      {photo === "" ? (
        <GuruMark theme={theme} large />
      ) : (
        // It lies at another's server: it must not hold up the words, nor be announced in front of the page by React.
        <img className="portrait" src={photo} alt="" referrerPolicy="no-referrer" fetchPriority="low" />
      )}
    </div>
  );
}
