import { tokenSchema } from "@app/shared/ids";
import type { RawRoute } from "../../core/raw-route.ts";
import { isReceived } from "@app/shared/payment-states";
import { findByToken, openPage } from "./checkout.ts";
import { countLook } from "./outcomes.ts";

/**
 * GET /pay/:token leads to the provider's page, or to ours where nothing can be paid there. Whoever follows it without
 * wanting to pay, as programs do that look at mail, opens a page and pays nothing.
 */
export const payLink: RawRoute = {
  access: "public",
  async answer({ req, res, log }) {
    res.setHeader("cache-control", "no-store").setHeader("referrer-policy", "no-referrer");
    const token = tokenSchema.safeParse(req.params["token"]);
    if (!token.success) return res.redirect(303, "/payment/cancelled");
    try {
      await countLook(req.ip ?? "");
      res.redirect(303, await whereTo(token.data));
    } catch (error) {
      // Somebody stands before it, and their bank: our own page says what to do, also where too many looked from there.
      log.error({ err: error }, "the page to pay on could not be opened");
      res.redirect(303, `/payment/cancelled?r=${token.data}&busy=yes`);
    }
  },
};

async function whereTo(token: string): Promise<string> {
  const doc = await findByToken(token);
  if (!doc) return "/payment/cancelled";
  const address = await openPage(doc);
  if (address !== null) return address;
  const after = await findByToken(token);
  const isThere = after !== null && (isReceived(after.status) || after.isOnItsWay);
  return `/payment/${isThere ? "success" : "cancelled"}?r=${token}`;
}
