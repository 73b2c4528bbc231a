// Ways into the server outside the router. Each says who may use it, as a procedure does; the gates stand here for all.
import type { Express, Request, RequestHandler, Response } from "express";
import type { Permission } from "@app/shared/access";
import { TRPCError } from "@trpc/server";
import { askerOf, inCallTurn } from "./call-turns.ts";
import { withDeadline } from "./deadline.ts";
import { INSTALLATION } from "./fair-turns.ts";
import { bearsToken, requireToken } from "./functions-token.ts";
import { type BodyType, sameOrigin } from "./http-security.ts";
import type { Logger } from "./logger.ts";
import { type Actor, type Context, requireExporting, requireOwner, requirePermitted, type Scope } from "./trpc.ts";

export interface Asked {
  req: Request;
  res: Response;
  log: Logger;
}

/** By somebody who passed the gates. */
export interface AskedBy extends Asked {
  actor: Actor;
  scope: Scope;
  context: Context;
  permissions: readonly Permission[];
  /** Passes the gates again, with whatever was changed meanwhile. */
  present: () => Promise<Scope>;
}

/** A secret in the address, or a signature, stands for the person. */
interface PublicRoute {
  access: "public";
  /** Asked by whoever watches over the server: it waits for nobody. */
  isProbe?: true;
  answer: (asked: Asked) => void | Promise<void>;
}

interface PermittedRoute {
  /** The owner's alone, or anybody's who holds the permissions. */
  access: "subscribed" | "owner";
  permissions: readonly Permission[];
  /** Hands out many records at once: whoever did not confirm for ten minutes who they are is asked to. */
  asksAgain?: true;
  /** What a page of ours sends to it, where that is no JSON. */
  takes?: BodyType;
  /** Answers another installation, which bears MAIL_FUNCTIONS_TOKEN and calls for a person of a practice here. */
  answerInstallation?: (asked: Asked) => void | Promise<void>;
  answer: (asked: AskedBy) => void | Promise<void>;
}

export type RawRoute = PublicRoute | PermittedRoute;
export type RouteName = `${"GET" | "POST"} /${string}`;

interface Serving {
  createContext: (req: Request, res: Response) => Promise<Context>;
  log: Logger;
}

/** Lets `app` answer to each route under its name, which is its method and the pattern of its path. */
export function mountRoutes(app: Express, routes: Readonly<Record<RouteName, RawRoute>>, serving: Serving): void {
  for (const [name, route] of Object.entries(routes)) {
    const [method, path = ""] = name.split(" ");
    // What is sent may take its time; an answer begins soon, or never.
    if (method === "GET") app.get(path, withDeadline, ...answering(route, serving));
    else app.post(path, ...answering(route, serving));
  }
}

function answering(route: RawRoute, { createContext, log }: Serving): RequestHandler[] {
  if (route.access === "public") {
    const tell = async (req: Request, res: Response) => route.answer({ req, res, log });
    if (route.isProbe) return [tell];
    return [(req, res) => inCallTurn(askerOf({ actor: null, ip: req.ip ?? "" }), () => tell(req, res))];
  }
  const { access, permissions, asksAgain = false, takes = "application/json", answerInstallation } = route;
  const passPermitted = asksAgain ? requireExporting : requirePermitted;
  const passGates = (actor: Actor | null): Actor => {
    const present = passPermitted(actor, permissions);
    return access === "owner" ? requireOwner(present) : present;
  };
  const answer: RequestHandler = async (req, res) => {
    const context = await createContext(req, res);
    const actor = passGates(context.actor);
    const present = async () => passGates(await context.standing.read()).scope;
    const asked = { req, res, log: context.log, actor, scope: actor.scope, context, permissions, present };
    await inCallTurn(askerOf(context), async () => route.answer(asked));
  };
  return answerInstallation
    ? [forInstallation(answerInstallation, log), sameOrigin(takes), answer]
    : [sameOrigin(takes), answer];
}

/** A call that bears a token is its installation's or nobody's: no cookie counts beside it. */
function forInstallation(answer: (asked: Asked) => void | Promise<void>, log: Logger): RequestHandler {
  return async (req, res, next) => {
    if (!bearsToken(req)) return next();
    requireToken(req);
    if (!req.is("application/json"))
      throw new TRPCError({ code: "UNSUPPORTED_MEDIA_TYPE", message: "Send application/json." });
    await inCallTurn(INSTALLATION, async () => answer({ req, res, log }));
  };
}
