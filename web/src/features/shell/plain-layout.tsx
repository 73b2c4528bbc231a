import { Outlet } from "@tanstack/react-router";
import "../../ui/mantine-public.css";
import "./plain-layout.css";

/** Within a page of another website, which has a main part of its own. */
const isFramed = window.self !== window.top;

/** What a practice's clients see: one column, large, and nothing but what they came for. */
export function PlainLayout() {
  return (
    <div className="plain">
      <main className="plain-column" aria-label={isFramed ? "Form" : undefined}>
        <Outlet />
      </main>
    </div>
  );
}
