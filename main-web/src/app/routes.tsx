import { lazy, type ComponentType } from "react";
import { Navigate, type RouteObject } from "react-router-dom";
import { Splash } from "@/components/ui/splash";
import { paths } from "@/config/paths";
import { Layout } from "./layout/layout";
import { RouteError } from "./layout/route-error";
import { RequireSignedIn, RequireSignedOut } from "./guards";

/** The route of a page that is loaded when it is first opened. */
const page = (path: string, load: () => Promise<ComponentType>): RouteObject => ({
  path,
  lazy: async () => ({ Component: await load() }),
});

const notificationPages = async () => (await import("./notification-pages")).NotificationPages;

const information: RouteObject[] = [
  page(paths.about, async () => (await import("@/features/info/pages/about-page")).AboutPage),
  page(paths.howItWorks, async () => (await import("@/features/info/pages/how-it-works-page")).HowItWorksPage),
  page(paths.pricing, async () => (await import("@/features/billing/pages/pricing-page")).PricingPage),
  page(
    paths.liabilityDemo,
    async () => (await import("@/features/waivers/pages/liability-demo-page")).LiabilityDemoPage,
  ),
  page(paths.leadAddress, async () => (await import("@/features/leads/pages/lead-address-page")).LeadAddressPage),
  page(paths.emailSettingsLink, notificationPages),
  page(paths.booked, async () => (await import("@/features/bookings/pages/booked-page")).BookedPage),
  page(paths.bookedPass, async () => (await import("@/features/bookings/passes/pages/pass-page")).BookedPassPage),
  page(paths.signWaiver, async () => (await import("@/features/waivers/pages/sign-page")).SignPage),
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

const onboarding: RouteObject[] = [
  page(paths.onboarding, async () => (await import("@/features/onboarding/pages/checklist-page")).ChecklistPage),
  page(paths.onboardingProfile, async () => (await import("@/features/onboarding/pages/profile-page")).ProfilePage),
  page(
    paths.onboardingCategories,
    async () => (await import("@/features/onboarding/pages/categories-page")).CategoriesPage,
  ),
  page(
    paths.onboardingRequirements,
    async () => (await import("@/features/onboarding/pages/requirements-page")).RequirementsPage,
  ),
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
  page(paths.onboardingReview, async () => (await import("@/features/onboarding/pages/review-page")).ReviewPage),
];

const guru: RouteObject = {
  lazy: async () => ({ Component: (await import("@/features/console/components/console-layout")).ConsoleLayout }),
  children: [
    page(paths.guru, async () => (await import("@/features/console/overview/pages/overview-page")).OverviewPage),
    page(paths.guruSite, async () => (await import("@/features/sites/guru/pages/site-page")).SitePage),
    page(paths.guruPosts, async () => (await import("@/features/posts/guru/pages/posts-page")).PostsPage),
    page(paths.guruPost, async () => (await import("@/features/posts/guru/pages/post-editor-page")).PostEditorPage),
    page(paths.guruServices, async () => (await import("@/features/services/guru/pages/services-page")).ServicesPage),
    page(
      paths.guruPackages,
      async () => (await import("@/features/bookings/guru/packages/packages-page")).PackagesPage,
    ),
    page(
      paths.guruServiceBooking,
      async () => (await import("@/features/services/guru/pages/service-booking-page")).ServiceBookingPage,
    ),
    page(paths.guruCalendar, async () => (await import("@/features/bookings/guru/pages/calendar-page")).CalendarPage),
    page(paths.guruClients, async () => (await import("@/features/bookings/guru/clients/clients-page")).ClientsPage),
    page(paths.guruClient, async () => (await import("@/features/bookings/guru/clients/client-page")).ClientPage),
    page(paths.guruReviews, async () => (await import("@/features/reviews/guru/pages/reviews-page")).ReviewsPage),
    page(paths.guruHours, async () => (await import("@/features/hours/guru/pages/hours-page")).HoursPage),
    page(paths.guruMoney, async () => (await import("@/features/money/guru/pages/money-page")).MoneyPage),
    page(paths.guruDomains, async () => (await import("@/features/domains/guru/pages/domains-page")).DomainsPage),
    page(paths.guruThread, async () => (await import("@/features/messages/pages/messages-page")).GuruMessagesPage),
    page(paths.guruLeads, async () => (await import("@/features/leads/guru/pages/leads-page")).LeadsPage),
    page(paths.guruLead, async () => (await import("@/features/leads/guru/pages/lead-page")).LeadPage),
  ],
};

const waitlistPage = async () => (await import("@/features/bookings/pages/waitlist-page")).WaitlistPage;

/** For signed-out visitors too: they sign in from here with a message about the session that they want. */
const booking: RouteObject[] = [
  page(paths.joinWaitlist, waitlistPage),
  page(paths.waitlist, waitlistPage),
  page(paths.book, async () => (await import("@/features/bookings/pages/book-page")).BookPage),
  page(paths.keepTime, async () => (await import("@/features/bookings/pages/keep-time-page")).KeepTimePage),
];

const signedInOnly: RouteObject = {
  element: <RequireSignedIn />,
  children: [
    page(paths.beAnAngel, async () => (await import("@/features/angels/pages/be-an-angel-page")).BeAnAngelPage),
    page(paths.needs, async () => (await import("@/features/angels/needs/pages/needs-page")).NeedsPage),
    page(paths.postNeed, async () => (await import("@/features/angels/needs/pages/need-form-page")).NeedFormPage),
    page(paths.need, async () => (await import("@/features/angels/needs/pages/need-page")).NeedPage),
    {
      path: paths.dashboard,
      lazy: async () => {
        const [{ DashboardPage }, { dashboardParts }, { DashboardRequest }] = await Promise.all([
          import("@/features/dashboard/pages/dashboard-page"),
          import("./dashboard-parts"),
          import("./dashboard-request"),
        ]);
        return { element: <DashboardPage {...dashboardParts} requestCard={DashboardRequest} /> };
      },
    },
    page(paths.sessions, async () => (await import("@/features/bookings/pages/sessions-page")).SessionsPage),
    page(paths.session, async () => (await import("@/features/bookings/pages/session-page")).SessionPage),
    page(paths.askForSession, async () => (await import("@/features/exchanges/pages/ask-page")).AskPage),
    page(paths.exchange, async () => (await import("@/features/exchanges/pages/exchange-page")).ExchangePage),
    page(paths.thread, async () => (await import("@/features/messages/pages/messages-page")).MessagesPage),
    page(paths.pass, async () => (await import("@/features/bookings/passes/pages/pass-page")).PassPage),
    page(paths.guruCheckIn, async () => (await import("@/features/bookings/passes/pages/check-in-page")).CheckInPage),
    page(paths.waivers, async () => (await import("@/features/waivers/pages/waivers-page")).WaiversPage),
    page(paths.mySkills, async () => (await import("@/features/listings/pages/my-skills-page")).MySkillsPage),
    page(paths.profile, async () => (await import("@/features/profiles/pages/profile-page")).ProfilePage),
    page(paths.notifications, notificationPages),
    page(paths.notificationSettings, notificationPages),
    ...onboarding,
    guru,
    page(paths.plan, async () => (await import("@/features/billing/pages/plan-page")).PlanPage),
    page(paths.payouts, async () => (await import("@/features/payouts/pages/payouts-page")).PayoutsPage),
  ],
};

const admin: RouteObject = {
  lazy: async () => ({ Component: (await import("@/features/admin/components/admin-layout")).AdminLayout }),
  children: [
    {
      path: paths.admin,
      lazy: async () => {
        const [{ DashboardPage }, { adminTabs }] = await Promise.all([
          import("@/features/admin/dashboard/pages/dashboard-page"),
          import("./admin-tabs"),
        ]);
        return { element: <DashboardPage tabs={adminTabs} /> };
      },
    },
    page(paths.adminSites, async () => (await import("@/features/sites/admin/pages/sites-page")).SitesPage),
    page(paths.adminRisks, async () => (await import("@/features/risk/admin/pages/risks-page")).RisksPage),
    page(paths.adminReviews, async () => (await import("@/features/reviews/admin/pages/reviews-page")).ReviewsPage),
    page(paths.adminJobs, async () => (await import("@/features/jobs/admin/pages/jobs-page")).JobsPage),
    page(paths.adminMoney, async () => (await import("@/features/money/admin/pages/money-page")).MoneyPage),
    page(paths.adminAudit, async () => (await import("@/features/admin/audit/pages/audit-page")).AuditPage),
  ],
};

// Most searches on /skills match a skill; only others load this.
const SkillsSearchFallback = lazy(async () => ({
  default: (await import("@/features/search/components/skills-search-fallback")).SkillsSearchFallback,
}));

// Only signed-in users have one.
const NextSessionLink = lazy(async () => ({
  default: (await import("@/features/dashboard/components/next-session-link")).NextSessionLink,
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
          ...booking,
          ...information,
          ...comingSoon,
          page(
            paths.forgotPassword,
            async () => (await import("@/features/auth/pages/forgot-password-page")).ForgotPasswordPage,
          ),
          page(paths.mailAction, async () => (await import("@/features/auth/pages/email-action-page")).EmailActionPage),
          page(
            paths.publicProfile,
            async () => (await import("@/features/profiles/pages/public-profile-page")).PublicProfilePage,
          ),
          page(paths.adminLogin, async () => (await import("@/features/admin/session/pages/login-page")).LoginPage),
          admin,
          signedOutOnly,
          signedInOnly,
          { path: "*", element: <Navigate to={paths.home} replace /> },
        ],
      },
    ],
  },
];
