import type { Device } from "@app/shared/auth";
import { notFound } from "../../core/errors.ts";
import type { Logger } from "../../core/logger.ts";
import type { Actor } from "../../core/trpc.ts";
import { endAuthSession, endAuthSessionsOf, findAuthSessionsOf } from "../auth-sessions/auth-sessions.service.ts";

interface Call {
  actor: Actor;
  log: Logger;
}

export async function listDevices({ scope, authSessionId }: Actor): Promise<Device[]> {
  const sessions = await findAuthSessionsOf(scope.userId);
  return sessions.map((session) => ({
    id: session._id,
    browser: describeBrowser(session.user_agent),
    address: session.ip,
    lastSeenAt: session.last_seen_at.toISOString(),
    signedInAt: session.signed_in_at.toISOString(),
    isThisOne: session._id === authSessionId,
  }));
}

export async function endDevice({ actor, log }: Call, id: string): Promise<Record<string, never>> {
  if (!(await endAuthSession(actor.scope.userId, id))) throw notFound("Sign-in");
  log.info({ event: "device signed out" }, "audit");
  return {};
}

/** Every device but this one. */
export async function signOutEverywhere({ actor, log }: Call): Promise<Record<string, never>> {
  const count = await endAuthSessionsOf(actor.scope.userId, actor.authSessionId);
  log.info({ event: "signed out everywhere", count }, "audit");
  return {};
}

// In this order: Edge and Opera also call themselves Chrome, and Chrome calls itself Safari.
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Firefox", "Firefox"],
  ["Chrom", "Chrome"],
  ["Safari", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS", "macOS"],
  ["Linux", "Linux"],
] as const;

/** For example "Firefox on Windows". */
export function describeBrowser(userAgent: string): string {
  const browser = BROWSERS.find(([sign]) => userAgent.includes(sign))?.[1] ?? "Unknown browser";
  const system = SYSTEMS.find(([sign]) => userAgent.includes(sign))?.[1];
  return system ? `${browser} on ${system}` : browser;
}
