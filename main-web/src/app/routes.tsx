import { lazy } from "react";
import { Navigate, type PatchRoutesOnNavigationFunction, type RouteObject } from "react-router-dom";
import { Splash } from "@/components/ui/splash";
import { paths } from "@/config/paths";
import { Layout } from "./layout/layout";
import { RouteError } from "./layout/route-error";
import { RequireSignedOut } from "./guards";
import { page } from "./page-route";

const information: RouteObject[] = [
  page(paths.about, async () => (await import("@/features/info/pages/about-page")).AboutPage),
  page(paths.howItWorks, async () => (await import("@/features/info/pages/how-it-works-page")).HowItWorksPage),
  page(paths.pricing, async () => (await import("@/features/billing/pages/pricing-page")).PricingPage),
  page(
    paths.liabilityDemo,
    async () => (await import("@/features/waivers/pages/liability-demo-page")).LiabilityDemoPage,
  ),
  ...[paths.privacy, paths.privacyPolicy].map((path) =>
    page(path, async () => (await import("@/features/info/pages/privacy-page")).PrivacyPage),
  ),
  ...[paths.terms, paths.termsAndConditions].map((path) =>
    page(path, async () => (await import("@/features/info/pages/terms-page")).TermsPage),
  ),
];

const comingSoon: RouteObject[] = [
  page(paths.help, async () => (await import("@/features/contact/pages/help-page")).HelpPage),
  page(paths.contact, async () => (await import("@/features/contact/pages/contact-page")).ContactPage),
  ...[paths.safety, paths.blog, paths.successStories, paths.events, paths.forum, paths.mentorship].map((path) =>
    page(path, async () => (await import("@/features/info/pages/coming-soon-page")).ComingSoonPage),
  ),
];

const signedOutOnly: RouteObject = {
  element: <RequireSignedOut />,
  children: [
    page(paths.login, async () => (await import("@/features/auth/pages/login-page")).LoginPage),
    page(paths.signup, async () => (await import("@/features/auth/pages/signup-page")).SignupPage),
  ],
};

// Most searches on /skills match a skill; only others load this.
const SkillsSearchFallback = lazy(async () => ({
  default: (await import("@/features/search/components/skills-search-fallback")).SkillsSearchFallback,
}));

// Only signed-in users have one. Its file is named where only they load the names.
const NextSessionLink = lazy(async () => (await import("./other-routes")).loadNextSessionLink());

const OTHER_ROUTES = "other-routes";

/**
 * Add the routes of signed-in people, gurus and staff. The router asks for them unless an address is that of a public
 * page without parameters. Visitors who come for these do not download the names of the files of all others.
 */
export const patchRoutesOnNavigation: PatchRoutesOnNavigationFunction = async ({ patch }) => {
  patch(OTHER_ROUTES, (await import("./other-routes")).otherRoutes);
};

/** The routes of the main platform (SPEC 2.2); each page is loaded when it is first opened. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <RouteError />,
    HydrateFallback: Splash,
    children: [
      {
        // Inside the layout, so that the error page keeps header and footer.
        errorElement: <RouteError />,
        children: [
          {
            path: paths.home,
            lazy: async () => {
              const { HomePage } = await import("@/features/home/pages/home-page");
              return { element: <HomePage nextSession={NextSessionLink} /> };
            },
          },
          {
            path: paths.skills,
            lazy: async () => {
              const { SkillsPage } = await import("@/features/skills/pages/skills-page");
              return { element: <SkillsPage searchFallback={SkillsSearchFallback} /> };
            },
          },
          page(paths.search, async () => (await import("@/features/search/pages/search-page")).SearchPage),
          page(paths.listing, async () => (await import("@/features/listings/pages/listing-page")).ListingPage),
          page(paths.angelsList, async () => (await import("@/features/angels/pages/angels-page")).AngelsPage),
          page(
            paths.serviceAngels,
            async () => (await import("@/features/angels/pages/service-angels-page")).ServiceAngelsPage,
          ),
          ...information,
          ...comingSoon,
          page(
            paths.forgotPassword,
            async () => (await import("@/features/auth/pages/forgot-password-page")).ForgotPasswordPage,
          ),
          page(
            paths.publicProfile,
            async () => (await import("@/features/profiles/pages/public-profile-page")).PublicProfilePage,
          ),
          signedOutOnly,
          { id: OTHER_ROUTES },
          { path: "*", element: <Navigate to={paths.home} replace /> },
        ],
      },
    ],
  },
];
