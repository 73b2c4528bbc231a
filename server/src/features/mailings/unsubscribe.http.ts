// Leaving a mailing without an account: one click in the mail program (RFC 8058), or a page with one button. Neither
// answer names the practice: whose mailbox the link lies in may be somebody else's by now, whatever the mail said.
import type { Response } from "express";
import { tokenSchema } from "@app/shared/ids";
import { styleNonce } from "../../core/http-security.ts";
import type { RawRoute } from "../../core/raw-route.ts";
import { suppress } from "../suppressions/suppressions.service.ts";
import { MailingItemModel } from "./mailings.model.ts";

/** GET /u/:token asks, so that what follows links by itself changes nothing. */
export const askToUnsubscribe: RawRoute = {
  access: "public",
  async answer({ req, res }) {
    const found = await findByToken(req.params["token"]);
    if (!found) return answer(res, 404, "This link does not work", GONE);
    answer(
      res,
      200,
      "No more mailings?",
      `<p>Letters about your own appointments still reach you.</p>
       <form method="post"><button>Stop mailings</button></form>`,
    );
  },
};

/** POST /u/:token does it at once, whatever stands in its body. */
export const unsubscribe: RawRoute = {
  access: "public",
  async answer({ req, res }) {
    const found = await findByToken(req.params["token"]);
    if (!found) return answer(res, 404, "This link does not work", GONE);
    await suppress(found.ownerId, found.address, { reason: "unsubscribed" });
    answer(res, 200, "You get no more mailings", "<p>There is nothing else to do.</p>");
  },
};

const GONE =
  "<p>It may have been cut off. Copy the whole link from the mail, or answer the mail and ask to be left out.</p>";

interface Unsubscribing {
  ownerId: string;
  address: string;
}

/** Whom a link in a mailing belongs to; null for a link that is none of ours. */
async function findByToken(text: unknown): Promise<Unsubscribing | null> {
  const token = tokenSchema.safeParse(text);
  if (!token.success) return null;
  return MailingItemModel.findOne({ unsubscribeToken: token.data }, { ownerId: 1, address: 1, _id: 0 })
    .setOptions({ anyOwner: true })
    .lean();
}

// A page of its own without a script: it must work in whatever a mail program opens. `title` and `body` are HTML.
function answer(res: Response, status: number, title: string, body: string): void {
  const nonce = styleNonce(res);
  res.status(status).type("html").send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.svg" type="image/svg+xml" />
<title>${title}</title>
<style nonce="${nonce}">
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  main { max-width: 32rem; margin: 15vh auto; padding: 0 1.25rem; }
  h1 { font-size: 1.35rem; line-height: 1.3; }
  button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0 1.25rem; border: 0; border-radius: 6px;
    background: #0f5f54; color: #fff; cursor: pointer; }
  button:focus-visible { outline: 3px solid currentColor; outline-offset: 2px; }
</style>
<main><h1>${title}</h1>${body}</main>
</html>`);
}
