import { createBrowserRouter, Navigate } from "react-router-dom";
import { Splash } from "../ui/splash";
import { Layout } from "./frame/layout";
import { paths } from "./paths";

export const router = createBrowserRouter([
  {
    element: <Layout />,
    HydrateFallback: Splash,
    children: [
      { path: paths.home, lazy: async () => ({ Component: (await import("../features/home/home-page")).HomePage }) },
      { path: "*", element: <Navigate to={paths.home} replace /> },
    ],
  },
]);
