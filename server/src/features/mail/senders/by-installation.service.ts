// How mail of people looks that leaves by the installation's own senders. Mail about access comes from the same address,
// so what a practice writes there says whose it is: by the address that its owner proved when they opened it.
import { PRODUCT_NAME } from "@app/shared/product";
import { emailConnectionOf } from "../../users/email-connection.service.ts";
import { findIdentityUser } from "../../users/users.service.ts";
import { displayName, isDoubtful } from "../display-name.service.ts";
import { withOrganizer } from "../neutral-calendar.ts";
import { mailOf, type PassedMail } from "../outgoing-gate.service.ts";
import { senderAddress } from "../sender-address.service.ts";
import type { OutgoingMail } from "./sender.service.ts";

/** In the place where other people's mail names the product: it names nothing, and yet says that the product did not write. */
const VIA_NOBODY = "via shared mail";
const WHO_WROTE = "Somebody who uses this mail service wrote this message. The service itself did not.";

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
  const answersTo = (await emailConnectionOf(userId))?.email || writer?.email_address;
  return organizedBySender({
    ...mail,
    subject,
    fromName: `${whoseName(mail.fromName, owner?.email_address ?? "")} via ${PRODUCT_NAME}`.trim(),
    headers: { ...mail.headers, ...(answersTo ? { "Reply-To": answersTo } : {}) },
  });
}

/**
 * A person's name and no address to answer to: either of the others could name the practice. Whoever writes chooses the
 * name, and who is to be reached discreetly, so such a mail says too that it is not the product's own.
 */
const neutral = (mail: OutgoingMail): OutgoingMail =>
  organizedBySender(
    {
      ...mail,
      ...signed(mail),
      fromName: `${displayName(mail.fromName) || "Somebody"} ${VIA_NOBODY}`,
      subject: isDoubtful(mail.subject) ? "A message for you" : mail.subject,
    },
    senderAddress(),
  );

function signed({ body, isHtml, text }: OutgoingMail): Pick<OutgoingMail, "body" | "text"> {
  const below = (words: string) => `${words}\n\n${WHO_WROTE}`;
  if (!isHtml) return { body: below(body) };
  return { body: `${body}\n<p>${WHO_WROTE}</p>`, ...(text === undefined ? {} : { text: below(text) }) };
}

/** Programs show whoever a calendar names in the place of the sender. */
const organizedBySender = (mail: OutgoingMail, address?: string): OutgoingMail => ({
  ...mail,
  calendar: mail.calendar && {
    ...mail.calendar,
    content: withOrganizer(mail.calendar.content, { name: mail.fromName, address }),
  },
});

/** Of the name what can be no address, and the address. */
function whoseName(name: string, address: string): string {
  const plain = displayName(name);
  return plain === "" ? address : `${plain} (${address})`;
}

/** Every kind of opening and closing sign, but quotation marks. */
const withoutBrackets = (subject: string): string => subject.replace(/[^\P{Ps}„‚]/gu, "(").replace(/\p{Pe}/gu, ")");
