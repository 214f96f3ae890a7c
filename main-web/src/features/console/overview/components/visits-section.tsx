import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { Link } from "react-router-dom";
import { Button } from "@/components/ui/button";
import { paths } from "@/config/paths";
import { api } from "@/lib/api-client";
import { saveFile } from "@/lib/save-file";
import { toast } from "@/lib/toast-store";
import { Stack } from "@/components/ui/stack";
import { SectionTitle } from "@/components/ui/section-card";
import { Hint } from "@/components/ui/hint";
import { errorMessage } from "@/lib/errors";
import type { OverviewData } from "../../lib/types";
import { formatNumber, pluralize } from "@porchlight/shared/format/numbers";

/** The visitors of the days that the plan shows, and the file with each day. */
export function VisitsSection({ visits }: { visits: OverviewData["visits"] }) {
  const download = useMutation({ mutationFn: () => api.FILE("/guru/visits.csv") });

  async function save() {
    try {
      saveFile(await download.mutateAsync(), "visitors.csv");
    } catch (reason) {
      toast.error(errorMessage(reason));
    }
  }

  const period = visits.days > 60 ? "24 months" : pluralize(visits.days, "day");
  return (
    <Stack as="section" aria-labelledby="overview-visits">
      <SectionTitle id="overview-visits">Visitors</SectionTitle>
      <p>
        <strong>{formatNumber(visits.visitors)}</strong> in the last {period}.
      </p>
      {visits.hasFile ? (
        <div>
          <Button size="sm" variant="secondary" loading={download.isPending} onClick={() => void save()}>
            <Download size={16} aria-hidden="true" />
            Download each day (CSV)
          </Button>
        </div>
      ) : (
        <Hint>
          Paid plans show {visits.days < 30 ? "30 days, or " : ""}24 months with a CSV.{" "}
          <Link to={paths.pricing}>See plans</Link>
        </Hint>
      )}
    </Stack>
  );
}
