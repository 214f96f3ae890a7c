import { Navigate, type RouteObject } from "react-router-dom";
import { Splash } from "../ui/splash";
import { Layout } from "./frame/layout";
import { RouteError } from "./frame/route-error";
import { RequireSignedIn, RequireSignedOut } from "./guards";
import { paths } from "./paths";

const information: RouteObject[] = [
  { path: paths.about, lazy: async () => ({ Component: (await import("../features/information/about-page")).AboutPage }) },
  {
    path: paths.howItWorks,
    lazy: async () => ({ Component: (await import("../features/information/how-it-works-page")).HowItWorksPage }),
  },
  { path: paths.pricing, lazy: async () => ({ Component: (await import("../features/billing/pricing-page")).PricingPage }) },
  ...[paths.privacy, paths.privacyPolicy].map((path) => ({
    path,
    lazy: async () => ({ Component: (await import("../features/information/privacy-page")).PrivacyPage }),
  })),
  ...[paths.terms, paths.termsAndConditions].map((path) => ({
    path,
    lazy: async () => ({ Component: (await import("../features/information/terms-page")).TermsPage }),
  })),
];

const comingSoon: RouteObject[] = [
  { path: paths.help, lazy: async () => ({ Component: (await import("../features/contact/help-page")).HelpPage }) },
  { path: paths.contact, lazy: async () => ({ Component: (await import("../features/contact/contact-page")).ContactPage }) },
  ...[paths.safety, paths.blog, paths.successStories, paths.events, paths.forum, paths.mentorship].map((path) => ({
    path,
    lazy: async () => ({ Component: (await import("../features/information/coming-soon-page")).ComingSoonPage }),
  })),
];

const signedOutOnly: RouteObject = {
  element: <RequireSignedOut />,
  children: [
    { path: paths.login, lazy: async () => ({ Component: (await import("../features/accounts/login-page")).LoginPage }) },
    { path: paths.signup, lazy: async () => ({ Component: (await import("../features/accounts/signup-page")).SignupPage }) },
  ],
};

const onboarding: RouteObject[] = [
  {
    path: paths.onboarding,
    lazy: async () => ({ Component: (await import("../features/onboarding/checklist-page")).ChecklistPage }),
  },
  {
    path: paths.onboardingProfile,
    lazy: async () => ({ Component: (await import("../features/onboarding/profile-page")).ProfilePage }),
  },
  {
    path: paths.onboardingCategories,
    lazy: async () => ({ Component: (await import("../features/onboarding/categories-page")).CategoriesPage }),
  },
  {
    path: paths.onboardingRequirements,
    lazy: async () => ({ Component: (await import("../features/onboarding/requirements-page")).RequirementsPage }),
  },
  {
    path: paths.onboardingDocuments,
    lazy: async () => {
      const [{ Wizard }, { DocumentsStep }] = await Promise.all([
        import("../features/onboarding/wizard"),
        import("../features/documents/documents-step"),
      ]);
      return {
        element: (
          <Wizard
            at={paths.onboardingRequirements}
            title="Upload Documents"
            lead="Send a link or the file itself. We look at each document, usually within a day."
            description="The documents behind what you offer: licenses, insurance, certificates."
          >
            <DocumentsStep />
          </Wizard>
        ),
      };
    },
  },
  {
    path: paths.onboardingPayout,
    lazy: async () => {
      const [{ Wizard }, { PayoutStep }] = await Promise.all([
        import("../features/onboarding/wizard"),
        import("../features/payouts/payout-step"),
      ]);
      return {
        element: (
          <Wizard
            at={paths.onboardingPayout}
            title="Setup Payout Method"
            lead="Where your earnings go. You set it up once."
            description="The fourth step to becoming a guru: how you are paid."
          >
            <PayoutStep />
          </Wizard>
        ),
      };
    },
  },
  {
    path: paths.onboardingReview,
    lazy: async () => ({ Component: (await import("../features/onboarding/review-page")).ReviewPage }),
  },
];

const guru: RouteObject = {
  lazy: async () => ({ Component: (await import("../features/guru/console-layout")).ConsoleLayout }),
  children: [
    { path: paths.guru, lazy: async () => ({ Component: (await import("../features/guru/overview-page")).OverviewPage }) },
    { path: paths.guruSite, lazy: async () => ({ Component: (await import("../features/guru/site-page")).SitePage }) },
    { path: paths.guruPosts, lazy: async () => ({ Component: (await import("../features/guru/posts-page")).PostsPage }) },
    {
      path: paths.guruPost,
      lazy: async () => ({ Component: (await import("../features/guru/post-editor-page")).PostEditorPage }),
    },
    {
      path: paths.guruServices,
      lazy: async () => ({ Component: (await import("../features/guru/services-page")).ServicesPage }),
    },
    { path: paths.guruLeads, lazy: async () => ({ Component: (await import("../features/guru/leads-page")).LeadsPage }) },
    { path: paths.guruLead, lazy: async () => ({ Component: (await import("../features/guru/lead-page")).LeadPage }) },
  ],
};

const signedInOnly: RouteObject = {
  element: <RequireSignedIn />,
  children: [
    {
      path: paths.beAnAngel,
      lazy: async () => ({ Component: (await import("../features/angels/be-an-angel-page")).BeAnAngelPage }),
    },
    { path: paths.needs, lazy: async () => ({ Component: (await import("../features/angels/needs-page")).NeedsPage }) },
    {
      path: paths.postNeed,
      lazy: async () => ({ Component: (await import("../features/angels/need-form-page")).NeedFormPage }),
    },
    { path: paths.need, lazy: async () => ({ Component: (await import("../features/angels/need-page")).NeedPage }) },
    {
      path: paths.dashboard,
      lazy: async () => {
        const [{ DashboardPage }, { dashboardCards }] = await Promise.all([
          import("../features/dashboard/dashboard-page"),
          import("./dashboard-cards"),
        ]);
        return { element: <DashboardPage cards={dashboardCards} /> };
      },
    },
    {
      path: paths.mySkills,
      lazy: async () => ({ Component: (await import("../features/listings/my-skills-page")).MySkillsPage }),
    },
    {
      path: paths.profile,
      lazy: async () => ({ Component: (await import("../features/profile/profile-page")).ProfilePage }),
    },
    ...onboarding,
    guru,
    {
      path: paths.payouts,
      lazy: async () => ({ Component: (await import("../features/payouts/payouts-page")).PayoutsPage }),
    },
  ],
};

const admin: RouteObject = {
  lazy: async () => ({ Component: (await import("../features/admin/admin-frame")).AdminFrame }),
  children: [
    { path: paths.admin, lazy: async () => ({ Component: (await import("../features/admin/dashboard-page")).DashboardPage }) },
    { path: paths.adminSites, lazy: async () => ({ Component: (await import("../features/admin/sites-page")).SitesPage }) },
    { path: paths.adminRisks, lazy: async () => ({ Component: (await import("../features/admin/risks-page")).RisksPage }) },
    { path: paths.adminAudit, lazy: async () => ({ Component: (await import("../features/admin/audit-page")).AuditPage }) },
  ],
};

/** Every screen of the main platform (SPEC 2.2); each arrives in a file of its own when it is first opened. */
export const routes: RouteObject[] = [
  {
    element: <Layout />,
    errorElement: <RouteError />,
    HydrateFallback: Splash,
    children: [
      {
        // Inside the frame, so that a screen that breaks leaves header and footer standing.
        errorElement: <RouteError />,
        children: [
          { path: paths.home, lazy: async () => ({ Component: (await import("../features/home/home-page")).HomePage }) },
          {
            path: paths.skills,
            lazy: async () => ({ Component: (await import("../features/skills/skills-page")).SkillsPage }),
          },
          { path: paths.search, lazy: async () => ({ Component: (await import("../features/search/search-page")).SearchPage }) },
          { path: paths.listing, lazy: async () => ({ Component: (await import("../features/listings/listing-page")).ListingPage }) },
          {
            path: paths.angelsList,
            lazy: async () => ({ Component: (await import("../features/angels/angels-page")).AngelsPage }),
          },
          {
            path: paths.serviceAngels,
            lazy: async () => ({ Component: (await import("../features/angels/service-angels-page")).ServiceAngelsPage }),
          },
          ...information,
          ...comingSoon,
          {
            path: paths.forgotPassword,
            lazy: async () => ({
              Component: (await import("../features/accounts/forgot-password-page")).ForgotPasswordPage,
            }),
          },
          {
            path: paths.mailAction,
            lazy: async () => ({ Component: (await import("../features/accounts/mail-action-page")).MailActionPage }),
          },
          {
            path: paths.publicProfile,
            lazy: async () => ({
              Component: (await import("../features/profile/public-profile-page")).PublicProfilePage,
            }),
          },
          { path: paths.adminLogin, lazy: async () => ({ Component: (await import("../features/admin/login-page")).LoginPage }) },
          admin,
          signedOutOnly,
          signedInOnly,
          { path: "*", element: <Navigate to={paths.home} replace /> },
        ],
      },
    ],
  },
];
