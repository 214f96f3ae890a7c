import { ReportPage } from "../../features/reports/pages/report-page";
import { staticProps } from "../../lib/static-props";

export default ReportPage;

export const getStaticProps = staticProps;
