import type { ComponentType } from "react";

import About from "../pages/about";
import AngelsList from "../pages/angels-list";
import Blog from "../pages/blog";
import Post from "../pages/blog/[slug]";
import Older from "../pages/blog/older/[cursor]";
import Tagged from "../pages/blog/tag/[tag]";
import TaggedOlder from "../pages/blog/tag/[tag]/older/[cursor]";
import Contact from "../pages/contact";
import Dashboard from "../pages/dashboard";
import Home from "../pages/index";
import Login from "../pages/login";
import Report from "../pages/report";
import ReportPost from "../pages/report/blog/[slug]";
import Reviews from "../pages/reviews";
import OlderReviews from "../pages/reviews/older/[cursor]";
import Services from "../pages/services";
import Times from "../pages/services/[service]/times";
import Signup from "../pages/signup";
import Skills from "../pages/skills";

/** The pages that the API renders, by Next's name. */
export const pages: Record<string, ComponentType<never>> = {
  "/": Home,
  "/about": About,
  "/angels-list": AngelsList,
  "/blog": Blog,
  "/blog/[slug]": Post,
  "/blog/older/[cursor]": Older,
  "/blog/tag/[tag]": Tagged,
  "/blog/tag/[tag]/older/[cursor]": TaggedOlder,
  "/contact": Contact,
  "/dashboard": Dashboard,
  "/login": Login,
  "/report": Report,
  "/report/blog/[slug]": ReportPost,
  "/reviews": Reviews,
  "/reviews/older/[cursor]": OlderReviews,
  "/services": Services,
  "/services/[service]/times": Times,
  "/signup": Signup,
  "/skills": Skills,
};
