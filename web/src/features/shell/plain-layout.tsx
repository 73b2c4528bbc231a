import { Outlet } from "@tanstack/react-router";
import "../../ui/mantine-public.css";
import "./plain-layout.css";

/** What a practice's clients see: one column, large, and nothing but what they came for. */
export function PlainLayout() {
  return (
    <div className="plain">
      <main className="plain-column">
        <Outlet />
      </main>
    </div>
  );
}
