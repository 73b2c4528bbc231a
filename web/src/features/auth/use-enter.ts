import { useNavigate, useRouter } from "@tanstack/react-router";
import { redirectTarget } from "../../core/redirect-target.ts";
import { checkSession } from "../../core/session.ts";

/** Goes on after a sign-in: to the page that was asked for, else to the dashboard. */
export function useEnter(redirect?: string) {
  const router = useRouter();
  const navigate = useNavigate();
  return async () => {
    await checkSession({ isFresh: true });
    const target = redirectTarget(redirect);
    if (target) router.history.push(target);
    else await navigate({ to: "/dashboard" });
  };
}
