import { lazy } from "react";
import type { RequestedAction } from "@/lib/requested-action";
import { RequestCard } from "@/features/teachers/components/request-card";

const NeedRequest = lazy(async () => ({
  default: (await import("@/features/angels/needs/components/need-request")).NeedRequest,
}));
const ListingTeacher = lazy(async () => ({
  default: (await import("@/features/listings/components/listing-teacher")).ListingTeacher,
}));

/** What the user came to the dashboard for, with the parts of the features that continue it. */
export function DashboardRequest({ request }: { request: RequestedAction }) {
  return <RequestCard request={request} needRequest={NeedRequest} listingTeacher={ListingTeacher} />;
}
