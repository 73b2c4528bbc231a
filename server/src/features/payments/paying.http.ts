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
    await countLook(req.ip ?? "");
    const token = tokenSchema.safeParse(req.params["token"]);
    const doc = token.success ? await findByToken(token.data) : null;
    if (!token.success || !doc) return res.redirect(303, "/payment/cancelled");
    try {
      const address = await openPage(doc);
      if (address !== null) return res.redirect(303, address);
    } catch (error) {
      // Somebody stands before it, and their bank: our own page says what to do.
      log.error({ err: error, paymentId: doc._id }, "the page to pay on could not be opened");
      return res.redirect(303, `/payment/cancelled?r=${token.data}&busy=yes`);
    }
    const after = await findByToken(token.data);
    const isThere = after !== null && (isReceived(after.status) || after.isOnItsWay);
    res.redirect(303, `/payment/${isThere ? "success" : "cancelled"}?r=${token.data}`);
  },
};
