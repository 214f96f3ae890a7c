import { ContactPage } from "../features/contact/contact-page";
import { shellProps } from "../site/shell-props";

export default ContactPage;

export const getStaticProps = shellProps;
