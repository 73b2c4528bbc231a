// How mail of people looks that leaves by the installation's own senders. Mail about access comes from the same address,
// so what a practice writes there says whose it is: by the address that its owner proved when they opened it.
import { cutText } from "@app/shared/cut-text";
import { PRODUCT_NAME } from "@app/shared/product";
import { findIdentityUser } from "../../users/users.service.ts";
import { mailOf, type PassedMail } from "../outgoing-gate.service.ts";
import { namesProduct } from "../telling-words.ts";
import type { OutgoingMail } from "./sender.service.ts";

const NAME_MAX_LENGTH = 40;

/** The subject of a mail of the product; nobody else's mail from the same address has square brackets. */
const productSubject = (subject: string): string => (subject.includes("[") ? subject : `[${PRODUCT_NAME}] ${subject}`);

/** A mail as the installation's own senders carry it for this person; nobody is the product, and says so itself. */
export async function asSentFor(userId: string, passed: PassedMail): Promise<OutgoingMail> {
  const mail = mailOf(passed);
  if (userId === "") return { ...mail, subject: productSubject(mail.subject) };
  const subject = withoutBrackets(mail.subject);
  if (passed.isNeutral) return neutral({ ...mail, subject });
  const writer = await findIdentityUser(userId);
  const owner = writer?.owner_id ? await findIdentityUser(writer.owner_id) : writer;
  return {
    ...mail,
    subject,
    fromName: `${whoseName(mail.fromName, owner?.email_address ?? "")} via ${PRODUCT_NAME}`.trim(),
    headers: { ...mail.headers, ...(writer ? { "Reply-To": writer.email_address } : {}) },
  };
}

/** A person's name alone and no address to answer to: either of the others could name the practice. */
const neutral = (mail: OutgoingMail): OutgoingMail => ({
  ...mail,
  fromName: namesProduct(mail.fromName) ? "New message" : mail.fromName,
  subject: namesProduct(mail.subject) ? "A message for you" : mail.subject,
});

/** Of the name what can be no address, and the address. */
function whoseName(name: string, address: string): string {
  const plain = cutText(name.replace(/[^\p{L}\p{M}\p{N} .&'’+-]+/gu, " ").replace(/\s+/g, " "), NAME_MAX_LENGTH).trim();
  return plain === "" || namesProduct(plain) ? address : `${plain} (${address})`;
}

/** Every kind of opening and closing sign, but quotation marks. */
const withoutBrackets = (subject: string): string => subject.replace(/[^\P{Ps}„‚]/gu, "(").replace(/\p{Pe}/gu, ")");
