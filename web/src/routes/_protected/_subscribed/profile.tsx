import { createFileRoute } from "@tanstack/react-router";
import { apiUtils } from "../../../core/api.ts";
import { ProfilePage } from "../../../features/users/profile-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/profile")({
  loader: () => void apiUtils.users.profile.prefetch(),
  component: ProfilePage,
});
