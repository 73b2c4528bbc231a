import { pipeline } from "node:stream/promises";
import { TRPCError } from "@trpc/server";
import { Router, type Request, type Response } from "express";
import type { z } from "zod";
import { clientMailPlaceSchema, mailPartSchema } from "@app/shared/inbox";
import { disposition } from "../../core/disposition.ts";
import { type Context, requirePermitted } from "../../core/trpc.ts";
import { framePage, framePolicy } from "./mail-frame.ts";
import { openAttachment, openHtml } from "./open-mail.service.ts";

type ContextFactory = (req: Request, res: Response) => Promise<Context>;

/** GET /export/mail/message?place=JSON shows a mail in a frame of its own, .../attachment?place=JSON downloads a part. */
export function mailRoutes(createContext: ContextFactory): Router {
  const routes = Router();
  routes.get("/mail/message", async (req, res) => {
    const { actor } = await createContext(req, res);
    const { scope } = requirePermitted(actor, ["clients.read", "mail.read"]);
    const showsRemote = req.query["images"] === "true";
    const html = await openHtml(scope, placeIn(req, clientMailPlaceSchema), showsRemote);
    res.set({
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": framePolicy(showsRemote),
      "X-Frame-Options": "SAMEORIGIN",
      "Referrer-Policy": "no-referrer",
      "Cache-Control": "private, no-store",
    });
    // The frame has no origin that an agent cluster could be kept for.
    res.removeHeader("Origin-Agent-Cluster");
    res.send(framePage(html));
  });
  routes.get("/mail/attachment", async (req, res) => {
    const { actor, log } = await createContext(req, res);
    const { scope } = requirePermitted(actor, ["clients.read", "mail.read"]);
    const place = placeIn(req, mailPartSchema);
    const { name, content } = await openAttachment(scope, place);
    log.info({ event: "mail attachment read", clientId: place.clientId }, "audit");
    // Never what the sender calls it: a browser saves it and opens nothing.
    res.set({
      "Content-Type": "application/octet-stream",
      "Content-Disposition": disposition("attachment", name),
      "Content-Security-Policy": "sandbox; default-src 'none'",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "private, no-store",
    });
    await pipeline(content, res).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")) throw error;
    });
  });
  return routes;
}

function placeIn<Place>(req: Request, schema: z.ZodType<Place>): Place {
  const place = schema.safeParse(parsed(req.query["place"]));
  if (!place.success) throw incomplete();
  return place.data;
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw incomplete();
    throw error;
  }
}

const incomplete = () =>
  new TRPCError({ code: "BAD_REQUEST", message: "This address is not complete. Open the message again." });
