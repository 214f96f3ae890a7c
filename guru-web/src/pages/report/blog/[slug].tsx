import { ReportPage } from "../../../features/report/report-page";
import { placeholder, shellProps } from "../../../site/shell-props";

export default ReportPage;

export const getStaticPaths = placeholder("slug");

export const getStaticProps = shellProps;
