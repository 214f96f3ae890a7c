import type { RouteObject } from "react-router-dom";
import { paths } from "@/config/paths";
import { RequireSignedIn } from "./guards";
import { page } from "./page-route";

const notificationPages = async () => (await import("./notification-pages")).NotificationPages;

/** Pages that people open from an email, most of them without being signed in. */
const fromEmails: RouteObject[] = [
  page(paths.leadAddress, async () => (await import("@/features/leads/pages/lead-address-page")).LeadAddressPage),
  page(paths.emailSettingsLink, notificationPages),
  page(paths.booked, async () => (await import("@/features/bookings/pages/booked-page")).BookedPage),
  page(paths.bookedPass, async () => (await import("@/features/bookings/passes/pages/pass-page")).BookedPassPage),
  page(paths.signWaiver, async () => (await import("@/features/waivers/pages/sign-page")).SignPage),
  page(paths.mailAction, async () => (await import("@/features/auth/pages/email-action-page")).EmailActionPage),
];

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
    page(paths.guruGallery, async () => (await import("@/features/gallery/guru/pages/gallery-page")).GalleryPage),
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

/** For signed-out visitors too: they sign in from here with a message about what they want. */
const booking: RouteObject[] = [
  page(paths.joinWaitlist, waitlistPage),
  page(paths.waitlist, waitlistPage),
  page(paths.book, async () => (await import("@/features/bookings/pages/book-page")).BookPage),
  page(paths.keepTime, async () => (await import("@/features/bookings/pages/keep-time-page")).KeepTimePage),
  page(paths.buyPackage, async () => (await import("@/features/bookings/pages/buy-package-page")).BuyPackagePage),
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
    page(
      paths.boughtPackage,
      async () => (await import("@/features/bookings/pages/bought-package-page")).BoughtPackagePage,
    ),
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
    page(paths.hours, async () => (await import("@/features/exchanges/pages/hours-page")).HoursPage),
    page(paths.orders, async () => (await import("@/features/bookings/pages/orders-page")).OrdersPage),
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

/** The routes of pages that few visitors open first: those of signed-in users, of gurus and of staff. */
export const otherRoutes: RouteObject[] = [
  ...fromEmails,
  ...booking,
  page(paths.adminLogin, async () => (await import("@/features/admin/session/pages/login-page")).LoginPage),
  admin,
  signedInOnly,
];

/** Load the link to the next session, which the home page shows to signed-in users. */
export async function loadNextSessionLink() {
  const { NextSessionLink } = await import("@/features/dashboard/components/next-session-link");
  return { default: NextSessionLink };
}
