import { ReportPage } from "../../../features/reports/pages/report-page";
import { placeholderPaths, staticProps } from "../../../lib/static-props";

export default ReportPage;

export const getStaticPaths = placeholderPaths("slug");

export const getStaticProps = staticProps;
