import { ContactPage } from "../features/leads/pages/contact-page";
import { staticProps } from "../lib/static-props";

export default ContactPage;

export const getStaticProps = staticProps;
