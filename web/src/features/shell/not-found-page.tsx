import { Link } from "@tanstack/react-router";
import { useTitle } from "../../core/title.ts";
import "./plain-layout.css";
import "./login-layout.css";

export function NotFoundPage() {
  useTitle("Page not found");
  return (
    <div className="plain">
      <main className="plain-column">
        <h1 className="plain-title">Page not found</h1>
        <p className="plain-text">
          There is nothing at this address. It may have been typed wrongly, or what stood here was removed.
        </p>
        <Link to="/" className="login-link">
          Go to the start page
        </Link>
      </main>
    </div>
  );
}
