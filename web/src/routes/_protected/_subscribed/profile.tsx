import { createFileRoute } from "@tanstack/react-router";
import { ProfilePage } from "../../../features/users/profile-page.tsx";

export const Route = createFileRoute("/_protected/_subscribed/profile")({
  component: ProfilePage,
});
