// What the product wrote and could not send, as it is stored: nobody else than the addressee is shown a link.
import { decrypt } from "@app/server/core/crypto";
import { SystemMailBodyModel, SystemMailModel } from "@app/server/features/mail/system-mail.model";
import { bodyPlace } from "@app/server/features/mail/system-mail.service";

/** The words of all that waits for this address, the oldest first. */
export async function wordsTo(email: string): Promise<string[]> {
  const mails = await SystemMailModel.find({ to: email }).sort({ created_at: 1, _id: 1 }).lean();
  const words = [];
  for (const { _id } of mails) {
    const body = await SystemMailBodyModel.findById(_id).lean();
    if (body) words.push(decrypt(body.text_enc, bodyPlace(_id)));
  }
  return words;
}

/** The tokens in it that let somebody choose a new password. */
export const resetTokensTo = async (email: string): Promise<string[]> =>
  (await wordsTo(email)).flatMap((text) => /resetpassword\?token=([\w-]+)/.exec(text)?.[1] ?? []);
