import { createFileRoute } from "@tanstack/react-router";
import { PlainLayout } from "../features/shell/plain-layout.tsx";

export const Route = createFileRoute("/_public")({
  component: PlainLayout,
});
