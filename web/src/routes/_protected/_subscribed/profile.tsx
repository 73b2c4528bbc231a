import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { apiUtils } from "../../../core/api.ts";
import { ProfilePage } from "../../../features/users/profile-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/profile")({
  loader: (context) => loadMeanwhile(context, apiUtils.users.profile.ensureData()),
  component: ProfilePage,
});
