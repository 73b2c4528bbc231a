import { Outlet } from "@tanstack/react-router";
import "../../ui/mantine-public.css";
import "./login-layout.css";

/** One narrow sheet; a phone loses the frame. */
export function LoginLayout() {
  return (
    <div className="login">
      <main className="login-sheet">
        <Outlet />
      </main>
    </div>
  );
}
