import { TRPCError } from "@trpc/server";
import type { Request } from "express";
import type { z } from "zod";
import { clientMailPlaceSchema, mailPartSchema } from "@app/shared/inbox";
import { sendDownload } from "../../core/download.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { jsonIn } from "../../core/upload.ts";
import { framePage, framePolicy } from "./mail-frame.ts";
import { openAttachment, openHtml } from "./open-mail.service.ts";

/** GET /export/mail/message?place=JSON shows a mail in a frame of its own. */
export const mailFrame: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "mail.read"],
  async answer({ req, res, scope }) {
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
  },
};

/** GET /export/mail/attachment?place=JSON downloads a part of a mail. */
export const mailAttachment: RawRoute = {
  access: "subscribed",
  permissions: ["clients.read", "mail.read"],
  async answer(asked) {
    const { req, scope, log } = asked;
    const place = placeIn(req, mailPartSchema);
    const { name, content } = await openAttachment(scope, place);
    log.info({ event: "mail attachment read", clientId: place.clientId }, "audit");
    // Never what the sender calls it: a browser saves it and opens nothing.
    await sendDownload(asked, { name, type: "application/octet-stream", content });
  },
};

function placeIn<Place>(req: Request, schema: z.ZodType<Place>): Place {
  const place = schema.safeParse(jsonIn(req, "place", incomplete));
  if (!place.success) throw incomplete();
  return place.data;
}

const incomplete = () =>
  new TRPCError({ code: "BAD_REQUEST", message: "This address is not complete. Open the message again." });
