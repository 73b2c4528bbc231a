import { initTRPC, TRPCError } from "@trpc/server";
import { z } from "zod";
import { can, type Permission, type Person } from "@app/shared/access";
import type { CurrentUser } from "@app/shared/users";
import { MINUTE_MS, now } from "./clock.ts";
import { forbidden, reauthRequired, unauthorized } from "./errors.ts";
import type { Logger } from "./logger.ts";
import { shapeError } from "./error-shape.ts";
import { refusalForVisitor } from "./visitor-refusals.ts";
import { whileAllowed } from "./while-allowed.ts";

const STREAM_PING_MS = 15_000;
// A stream is opened anew now and then, so that a sign-in that ended cannot live on in it.
const STREAM_MAX_MS = 5 * 60_000;
const CONFIRMED_FOR_MS = 10 * MINUTE_MS;

/** Whose data a call may touch, and as whom. The first argument of every service function. */
export interface Scope extends Person {
  ownerId: string;
  userId: string;
  userName: string;
  /** Sees only the clients and cases that this person is assigned to. */
  isAssignedOnly: boolean;
}

export interface Actor {
  scope: Scope;
  user: CurrentUser;
  authSessionId: string;
  /** When this person last proved in this sign-in who they are. */
  confirmedAt: Date;
  /** The password was right, the second factor is still owed: only the step that takes it is open. */
  isSecondFactorPending: boolean;
}

export interface Context {
  actor: Actor | null;
  requestId: string;
  ip: string;
  userAgent: string;
  /** A program drives the page that calls. */
  isHeadless: boolean;
  /** The Cookie header as it came. */
  cookies: string;
  /** A developer on localhost sees every plan; never true in production. */
  isImpersonating: boolean;
  /** Who calls, read anew, for what goes on for long; and when that may have changed. */
  standing: {
    read: () => Promise<Actor | null>;
    onChange: (listener: () => void) => () => void;
  };
  setCookie(cookie: string): void;
  setHeader(name: string, value: string): void;
  log: Logger;
}

export interface Meta {
  access: "public" | "protected" | "subscribed" | "owner";
  /** Each of them; an answer holds nothing that needs another. */
  permissions?: readonly Permission[];
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    errorFormatter: shapeError,
    defaultMeta: { access: "public" },
    sse: {
      ping: { enabled: true, intervalMs: STREAM_PING_MS },
      maxDurationMs: STREAM_MAX_MS,
      client: { reconnectAfterInactivityMs: 3 * STREAM_PING_MS },
    },
  });

export const { router, mergeRouters } = t;

/** For a change that takes nothing: whatever is sent along is refused, as an unknown name is elsewhere. */
export const noInputSchema = z.null().optional();

export const publicProcedure = t.procedure;

/** For whoever opens a page of the practice without signing in: what is refused by the rules of staff is not explained. */
export const visitorProcedure = t.procedure.use(async ({ ctx, path, next }) => {
  const result = await next();
  if (result.ok) return result;
  const error = refusalForVisitor(result.error);
  if (error !== result.error)
    ctx.log.info({ path, code: result.error.code }, "a visitor was refused by a rule of staff");
  throw error;
});

/** Behind a gate that throws. An event stream ends when its caller may not open it any more. */
const gated = (passGate: (actor: Actor | null) => Actor) =>
  t.procedure.use(async ({ ctx, meta, type, next }) => {
    const actor = passGate(ctx.actor);
    const result = await next({ ctx: { actor, scope: actor.scope } });
    if (type !== "subscription" || !result.ok || !isStream(result.data)) return result;
    const mayGoOn = async () => passesGates(await ctx.standing.read(), meta);
    return { ...result, data: whileAllowed(result.data, { mayGoOn, onChange: ctx.standing.onChange }) };
  });

/** Signed in, second factor included. */
export const protectedProcedure = gated(requireSignedIn).meta({ access: "protected" });

const isStream = (data: unknown): data is AsyncIterable<unknown> =>
  typeof data === "object" && data !== null && Symbol.asyncIterator in data;

/** The gates of a procedure, asked again while it goes on. */
function passesGates(actor: Actor | null, { access, permissions = [] }: Meta = { access: "owner" }): boolean {
  if (access === "protected") return isSignedIn(actor);
  return isPermitted(actor, permissions) && (access !== "owner" || can(actor.scope, "practice.manage"));
}

/** Signed in, and the practice has a subscription that counts. */
export const subscribedProcedure = gated((actor) => requirePermitted(actor, [])).meta({ access: "subscribed" });

/** A mediator who owns the practice; no permission replaces this. */
export const ownerProcedure = gated((actor) => requireOwner(requirePermitted(actor, []))).meta({ access: "owner" });

/** Behind the other gates, for a route that is no procedure too. */
export function requireOwner(actor: Actor): Actor {
  if (!can(actor.scope, "practice.manage")) throw forbidden("Only the owner of the practice can do this.");
  return actor;
}

/** A subscribed caller who holds each of these permissions; the owner holds them all. */
export const permitted = (...permissions: [Permission, ...Permission[]]) =>
  gated((actor) => requirePermitted(actor, permissions)).meta({ access: "subscribed", permissions });

/**
 * Before what gives access away or takes it for good: the person has shown within ten minutes that it is them, so that
 * an unattended screen or a stolen cookie is not enough. Behind the other gates: `ownerProcedure.use(recentlyConfirmed)`.
 */
export const recentlyConfirmed = t.middleware(({ ctx, next }) => {
  requireConfirmed(requireSignedIn(ctx.actor));
  return next();
});

function requireConfirmed({ confirmedAt }: Actor): void {
  // A clock that was set back does not make it last longer.
  if (Math.abs(now().getTime() - confirmedAt.getTime()) > CONFIRMED_FOR_MS) throw reauthRequired();
}

interface Call<Input> {
  ctx: { scope: Scope };
  input: Input;
}

/** A procedure that is one function of a service. What creates, or adds to something, goes by `creating` and `changing`. */
export const calling =
  <Input, Result>(work: (scope: Scope, input: Input) => Result) =>
  ({ ctx: { scope }, input }: Call<Input>): Result =>
    work(scope, input);

/** The same for a function that is told of one thing, by its id. */
export const callingById =
  <Result>(work: (scope: Scope, id: string) => Result) =>
  ({ ctx: { scope }, input }: Call<{ id: string }>): Result =>
    work(scope, input.id);

/** The gates of a route that hands out many records at once: permitted, and recently confirmed. */
export function requireExporting(actor: Actor | null, permissions: readonly Permission[]): Actor {
  const present = requirePermitted(actor, permissions);
  requireConfirmed(present);
  return present;
}

/** The gates of a permitted procedure, for a route that is none. */
export function requirePermitted(actor: Actor | null, permissions: readonly Permission[]): Actor {
  const present = requireSignedIn(actor);
  requireSubscribed(present);
  for (const permission of permissions) requirePermission(present.scope, permission);
  return present;
}

/** The same as an answer, for somebody who need not be calling. */
export const isPermitted = <Person extends Pick<Actor, "scope" | "user">>(
  person: Person | null,
  permissions: readonly Permission[],
): person is Person =>
  isSignedIn(person) &&
  person.user.hasAccess &&
  !person.user.mustSetUpTwoFactor &&
  permissions.every((permission) => can(person.scope, permission));

export const isSignedIn = <Person extends Partial<Actor>>(person: Person | null): person is Person =>
  person !== null && person.isSecondFactorPending !== true;

function requireSignedIn(actor: Actor | null): Actor {
  if (!isSignedIn(actor)) throw unauthorized("You are not signed in. Sign in and try again.");
  return actor;
}

function requireSubscribed({ user }: Actor): void {
  if (!user.hasAccess) {
    throw new TRPCError({
      code: "PAYMENT_REQUIRED",
      message: "The practice has no active subscription. Open your account to renew it.",
    });
  }
  if (user.mustSetUpTwoFactor) {
    throw forbidden("Your practice asks for a second factor. Set it up on your account page.");
  }
}

function requirePermission(scope: Scope, permission: Permission): void {
  if (!can(scope, permission)) throw forbidden("You do not have permission for this. Ask the owner of the practice.");
}
