import { can } from "@app/shared/access";
import { notFound, redirect } from "@tanstack/react-router";
import { notifyError } from "./notify.ts";
import { checkSession } from "./session.ts";

interface Target {
  /** The address that was asked for, to come back to after sign-in. */
  href: string;
}

/** Sign-in required; the server says the same with UNAUTHORIZED. */
export async function requireUser({ href }: Target) {
  const { user, isSecondFactorPending } = await checkSession();
  if (isSecondFactorPending) throw redirect({ to: "/login", search: { redirect: href } });
  if (!user) throw redirect({ to: "/", search: href === "/" ? {} : { redirect: href } });
  return user;
}

/** A counting subscription required (PAYMENT_REQUIRED), and the second factor where the owner asks for one. */
export async function requireAccess(target: Target) {
  const user = await requireUser(target);
  if (user.mustSetUpTwoFactor) throw redirect({ to: "/account", search: { tab: "devices" } });
  if (!user.hasAccess) throw redirect({ to: "/account" });
  return user;
}

/** Only a mediator who owns the practice (FORBIDDEN). */
export async function requireOwner(target: Target) {
  const user = await requireAccess(target);
  if (can(user, "practice.manage")) return user;
  notifyError("Only the owner can open that page. Ask them if you need something from it.");
  throw redirect({ to: "/dashboard" });
}

/** The sign-in pages are for people who are not signed in, and a fresh installation starts with its first practice. */
export async function requireVisitor() {
  const { user, isSetUp } = await checkSession();
  if (user) throw redirect({ to: "/dashboard" });
  if (!isSetUp) throw redirect({ to: "/setup" });
}

/** The first practice is set up once; afterwards this page is there only for people who were invited. */
export async function requireFirstRun({ token }: { token?: string }) {
  if (token !== undefined) return;
  const { isSetUp, user } = await checkSession();
  if (user) throw redirect({ to: "/dashboard" });
  if (isSetUp) throw notFound();
}
