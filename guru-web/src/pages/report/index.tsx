import { ReportPage } from "../../features/report/report-page";
import { shellProps } from "../../site/shell-props";

export default ReportPage;

export const getStaticProps = shellProps;
