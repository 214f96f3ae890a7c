import { Search } from "lucide-react";
import { Link, useLocation } from "react-router-dom";
import { paths } from "@/config/paths";
import { useFlag } from "@/lib/feature-flags";
import { SearchForm } from "@/components/ui/search-form";
import styles from "./header.module.css";

/** The search in the header: a field on wide screens, a link to the search page on others. */
export function HeaderSearch() {
  const on = useFlag("skillListing");
  const { pathname } = useLocation();
  if (!on || pathname === paths.search) return null;
  return (
    <>
      <SearchForm label="Search Porchlight" placeholder="Search" className={styles.search} />
      <Link to={paths.search} className={styles.searchLink} aria-label="Search">
        <Search size={20} aria-hidden="true" />
      </Link>
    </>
  );
}
