import { lazy } from "react";
import { Navigate, type RouteObject } from "react-router-dom";
import { Splash } from "@/components/ui/splash";
import { paths } from "@/config/paths";
import { Layout } from "./layout/layout";
import { RouteError } from "./layout/route-error";
import { RequireSignedIn, RequireSignedOut } from "./guards";

const emailSettings = async () => ({
  Component: (await import("@/features/email-settings/pages/email-settings-page")).EmailSettingsPage,
});

const information: RouteObject[] = [
  {
    path: paths.about,
    lazy: async () => ({ Component: (await import("@/features/info/pages/about-page")).AboutPage }),
  },
  {
    path: paths.howItWorks,
    lazy: async () => ({ Component: (await import("@/features/info/pages/how-it-works-page")).HowItWorksPage }),
  },
  {
    path: paths.pricing,
    lazy: async () => ({ Component: (await import("@/features/billing/pages/pricing-page")).PricingPage }),
  },
  {
    path: paths.liabilityDemo,
    lazy: async () => ({
      Component: (await import("@/features/waivers/pages/liability-demo-page")).LiabilityDemoPage,
    }),
  },
  {
    path: paths.leadAddress,
    lazy: async () => ({
      Component: (await import("@/features/lead-addresses/pages/lead-address-page")).LeadAddressPage,
    }),
  },
  { path: paths.emailSettingsLink, lazy: emailSettings },
  {
    path: paths.signWaiver,
    lazy: async () => ({ Component: (await import("@/features/waivers/pages/sign-page")).SignPage }),
  },
  ...[paths.privacy, paths.privacyPolicy].map((path) => ({
    path,
    lazy: async () => ({ Component: (await import("@/features/info/pages/privacy-page")).PrivacyPage }),
  })),
  ...[paths.terms, paths.termsAndConditions].map((path) => ({
    path,
    lazy: async () => ({ Component: (await import("@/features/info/pages/terms-page")).TermsPage }),
  })),
];

const comingSoon: RouteObject[] = [
  {
    path: paths.help,
    lazy: async () => ({ Component: (await import("@/features/contact/pages/help-page")).HelpPage }),
  },
  {
    path: paths.contact,
    lazy: async () => ({ Component: (await import("@/features/contact/pages/contact-page")).ContactPage }),
  },
  ...[paths.safety, paths.blog, paths.successStories, paths.events, paths.forum, paths.mentorship].map((path) => ({
    path,
    lazy: async () => ({ Component: (await import("@/features/info/pages/coming-soon-page")).ComingSoonPage }),
  })),
];

const signedOutOnly: RouteObject = {
  element: <RequireSignedOut />,
  children: [
    {
      path: paths.login,
      lazy: async () => ({ Component: (await import("@/features/auth/pages/login-page")).LoginPage }),
    },
    {
      path: paths.signup,
      lazy: async () => ({ Component: (await import("@/features/auth/pages/signup-page")).SignupPage }),
    },
  ],
};

const onboarding: RouteObject[] = [
  {
    path: paths.onboarding,
    lazy: async () => ({ Component: (await import("@/features/onboarding/pages/checklist-page")).ChecklistPage }),
  },
  {
    path: paths.onboardingProfile,
    lazy: async () => ({ Component: (await import("@/features/onboarding/pages/profile-page")).ProfilePage }),
  },
  {
    path: paths.onboardingCategories,
    lazy: async () => ({ Component: (await import("@/features/onboarding/pages/categories-page")).CategoriesPage }),
  },
  {
    path: paths.onboardingRequirements,
    lazy: async () => ({ Component: (await import("@/features/onboarding/pages/requirements-page")).RequirementsPage }),
  },
  {
    path: paths.onboardingDocuments,
    lazy: async () => {
      const [{ Wizard }, { DocumentsStep }] = await Promise.all([
        import("@/features/onboarding/components/wizard"),
        import("@/features/documents/components/documents-step"),
      ]);
      return {
        element: (
          <Wizard
            at={paths.onboardingRequirements}
            title="Upload Documents"
            lead="Upload a file or paste a link. We review each document, usually within a day."
            description="Upload licenses, insurance and certificates for what you offer."
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
        import("@/features/onboarding/components/wizard"),
        import("@/features/payouts/components/payout-step"),
      ]);
      return {
        element: (
          <Wizard
            at={paths.onboardingPayout}
            title="Setup Payout Method"
            lead="Choose where we send your earnings. You only set it up once."
            description="Step 4 of becoming a guru: how you get paid."
          >
            <PayoutStep />
          </Wizard>
        ),
      };
    },
  },
  {
    path: paths.onboardingReview,
    lazy: async () => ({ Component: (await import("@/features/onboarding/pages/review-page")).ReviewPage }),
  },
];

const guru: RouteObject = {
  lazy: async () => ({ Component: (await import("@/features/console/components/console-layout")).ConsoleLayout }),
  children: [
    {
      path: paths.guru,
      lazy: async () => ({ Component: (await import("@/features/console/overview/pages/overview-page")).OverviewPage }),
    },
    {
      path: paths.guruSite,
      lazy: async () => ({ Component: (await import("@/features/console/site/pages/site-page")).SitePage }),
    },
    {
      path: paths.guruPosts,
      lazy: async () => ({ Component: (await import("@/features/console/posts/pages/posts-page")).PostsPage }),
    },
    {
      path: paths.guruPost,
      lazy: async () => ({
        Component: (await import("@/features/console/posts/pages/post-editor-page")).PostEditorPage,
      }),
    },
    {
      path: paths.guruServices,
      lazy: async () => ({ Component: (await import("@/features/console/services/pages/services-page")).ServicesPage }),
    },
    {
      path: paths.guruServiceBooking,
      lazy: async () => ({
        Component: (await import("@/features/console/services/pages/service-booking-page")).ServiceBookingPage,
      }),
    },
    {
      path: paths.guruCalendar,
      lazy: async () => ({ Component: (await import("@/features/console/calendar/pages/calendar-page")).CalendarPage }),
    },
    {
      path: paths.guruHours,
      lazy: async () => ({ Component: (await import("@/features/console/hours/pages/hours-page")).HoursPage }),
    },
    {
      path: paths.guruMoney,
      lazy: async () => ({ Component: (await import("@/features/console/money/pages/money-page")).MoneyPage }),
    },
    {
      path: paths.guruDomains,
      lazy: async () => ({ Component: (await import("@/features/console/domains/pages/domains-page")).DomainsPage }),
    },
    {
      path: paths.guruLeads,
      lazy: async () => ({ Component: (await import("@/features/console/leads/pages/leads-page")).LeadsPage }),
    },
    {
      path: paths.guruLead,
      lazy: async () => ({ Component: (await import("@/features/console/leads/pages/lead-page")).LeadPage }),
    },
  ],
};

const waitlistPage = async () => ({
  Component: (await import("@/features/bookings/pages/waitlist-page")).WaitlistPage,
});

/** For signed-out visitors too: they sign in from here with a message about the session that they want. */
const booking: RouteObject[] = [
  { path: paths.joinWaitlist, lazy: waitlistPage },
  { path: paths.waitlist, lazy: waitlistPage },
  {
    path: paths.book,
    lazy: async () => ({ Component: (await import("@/features/bookings/pages/book-page")).BookPage }),
  },
  {
    path: paths.keepTime,
    lazy: async () => ({ Component: (await import("@/features/bookings/pages/keep-time-page")).KeepTimePage }),
  },
];

const signedInOnly: RouteObject = {
  element: <RequireSignedIn />,
  children: [
    {
      path: paths.beAnAngel,
      lazy: async () => ({ Component: (await import("@/features/angels/pages/be-an-angel-page")).BeAnAngelPage }),
    },
    {
      path: paths.needs,
      lazy: async () => ({ Component: (await import("@/features/angels/needs/pages/needs-page")).NeedsPage }),
    },
    {
      path: paths.postNeed,
      lazy: async () => ({ Component: (await import("@/features/angels/needs/pages/need-form-page")).NeedFormPage }),
    },
    {
      path: paths.need,
      lazy: async () => ({ Component: (await import("@/features/angels/needs/pages/need-page")).NeedPage }),
    },
    {
      path: paths.question,
      lazy: async () => ({ Component: (await import("@/features/questions/pages/question-page")).QuestionPage }),
    },
    {
      path: paths.dashboard,
      lazy: async () => {
        const [{ DashboardPage }, { dashboardCards }, { DashboardRequest }] = await Promise.all([
          import("@/features/dashboard/pages/dashboard-page"),
          import("./dashboard-cards"),
          import("./dashboard-request"),
        ]);
        return { element: <DashboardPage cards={dashboardCards} requestCard={DashboardRequest} /> };
      },
    },
    {
      path: paths.sessions,
      lazy: async () => ({ Component: (await import("@/features/bookings/pages/sessions-page")).SessionsPage }),
    },
    {
      path: paths.session,
      lazy: async () => ({ Component: (await import("@/features/bookings/pages/session-page")).SessionPage }),
    },
    {
      path: paths.waivers,
      lazy: async () => ({ Component: (await import("@/features/waivers/pages/waivers-page")).WaiversPage }),
    },
    {
      path: paths.mySkills,
      lazy: async () => ({ Component: (await import("@/features/listings/pages/my-skills-page")).MySkillsPage }),
    },
    {
      path: paths.profile,
      lazy: async () => ({ Component: (await import("@/features/profiles/pages/profile-page")).ProfilePage }),
    },
    { path: paths.emailSettings, lazy: emailSettings },
    ...onboarding,
    guru,
    {
      path: paths.plan,
      lazy: async () => ({ Component: (await import("@/features/billing/pages/plan-page")).PlanPage }),
    },
    {
      path: paths.payouts,
      lazy: async () => ({ Component: (await import("@/features/payouts/pages/payouts-page")).PayoutsPage }),
    },
  ],
};

const admin: RouteObject = {
  lazy: async () => ({ Component: (await import("@/features/admin/components/admin-layout")).AdminLayout }),
  children: [
    {
      path: paths.admin,
      lazy: async () => ({
        Component: (await import("@/features/admin/dashboard/pages/dashboard-page")).DashboardPage,
      }),
    },
    {
      path: paths.adminSites,
      lazy: async () => ({ Component: (await import("@/features/admin/sites/pages/sites-page")).SitesPage }),
    },
    {
      path: paths.adminRisks,
      lazy: async () => ({ Component: (await import("@/features/admin/risk/pages/risks-page")).RisksPage }),
    },
    {
      path: paths.adminJobs,
      lazy: async () => ({ Component: (await import("@/features/admin/jobs/pages/jobs-page")).JobsPage }),
    },
    {
      path: paths.adminMoney,
      lazy: async () => ({ Component: (await import("@/features/admin/money/pages/money-page")).MoneyPage }),
    },
    {
      path: paths.adminAudit,
      lazy: async () => ({ Component: (await import("@/features/admin/audit/pages/audit-page")).AuditPage }),
    },
  ],
};

// Most searches on /skills match a skill; only others load this.
const FoundInstead = lazy(async () => ({
  default: (await import("@/features/search/components/found-instead")).FoundInstead,
}));

/** All routes of the main platform (SPEC 2.2); each page is loaded when it is first opened. */
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
            lazy: async () => ({ Component: (await import("@/features/home/pages/home-page")).HomePage }),
          },
          {
            path: paths.skills,
            lazy: async () => {
              const { SkillsPage } = await import("@/features/skills/pages/skills-page");
              return { element: <SkillsPage foundInstead={FoundInstead} /> };
            },
          },
          {
            path: paths.search,
            lazy: async () => ({ Component: (await import("@/features/search/pages/search-page")).SearchPage }),
          },
          {
            path: paths.listing,
            lazy: async () => ({ Component: (await import("@/features/listings/pages/listing-page")).ListingPage }),
          },
          {
            path: paths.angelsList,
            lazy: async () => ({ Component: (await import("@/features/angels/pages/angels-page")).AngelsPage }),
          },
          {
            path: paths.serviceAngels,
            lazy: async () => ({
              Component: (await import("@/features/angels/pages/service-angels-page")).ServiceAngelsPage,
            }),
          },
          ...booking,
          ...information,
          ...comingSoon,
          {
            path: paths.forgotPassword,
            lazy: async () => ({
              Component: (await import("@/features/auth/pages/forgot-password-page")).ForgotPasswordPage,
            }),
          },
          {
            path: paths.mailAction,
            lazy: async () => ({
              Component: (await import("@/features/auth/pages/email-action-page")).EmailActionPage,
            }),
          },
          {
            path: paths.publicProfile,
            lazy: async () => ({
              Component: (await import("@/features/profiles/pages/public-profile-page")).PublicProfilePage,
            }),
          },
          {
            path: paths.adminLogin,
            lazy: async () => ({ Component: (await import("@/features/admin/session/pages/login-page")).LoginPage }),
          },
          admin,
          signedOutOnly,
          signedInOnly,
          { path: "*", element: <Navigate to={paths.home} replace /> },
        ],
      },
    ],
  },
];
