// The address of a link ends once somebody who had it may not read all that is answered by it any more: they would read by
// it, without being signed in, what is saved from then on. Asked at each look, because rights shrink in many ways.
import { now } from "../../core/clock.ts";
import { hashToken } from "../../core/crypto.ts";
import { inTransaction } from "../../core/database.ts";
import { newToken } from "../../core/ids.ts";
import { systemScope } from "../../core/system-scope.ts";
import { mayAllHaveIt, tellOf } from "./form-links.service.ts";
import { type FormLinkDoc, FormLinkModel, sealToken } from "./form-links.model.ts";
import { sendNewAddress } from "./link-letters.service.ts";

const RENEWED = "Link to a form replaced: somebody who had its address may not read all of it any more";

/** Whether this address still leads to its form; where it does not any more, its client gets another one. */
export async function leadsOn(link: FormLinkDoc): Promise<boolean> {
  if (await mayAllHaveIt(link)) return true;
  await renew(link);
  return false;
}

const renew = ({ ownerId, _id, tokenHash }: FormLinkDoc): Promise<void> =>
  inTransaction(async () => {
    const token = newToken();
    const fresh = await FormLinkModel.findOneAndUpdate(
      { ownerId, _id, tokenHash, revokedAt: null },
      {
        $set: { tokenHash: hashToken(token), tokenEnc: sealToken(ownerId, _id, token), renewedAt: now() },
        $unset: { shownNumber: "", shownTo: "" },
      },
      { returnDocument: "after", lean: true },
    );
    // Another look at the same moment did it.
    if (!fresh) return;
    await tellOf(systemScope(ownerId), fresh, RENEWED);
    await sendNewAddress(fresh);
  });
