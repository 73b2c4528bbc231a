import { cutText } from "@app/shared/cut-text";
import { foldEmail } from "@app/shared/email-address";
import type { MailboxSharing } from "@app/shared/mailboxes";
import type { ImapSend } from "@app/shared/mail-payload";
import { emailSchema } from "@app/shared/text";
import { badField, forbidden } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { newId } from "../../core/ids.ts";
import type { JsonWithFiles } from "../../core/read-body.ts";
import { mailboxOf, providerAccountOf } from "../mailboxes/mailbox-access.service.ts";
import { mayUseMailbox } from "../users/email-connection.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { bytesOf, bytesOfLong } from "../mail/attachments.service.ts";
import { refuseLineBreaks } from "../mail/outgoing.service.ts";
import { quotedBy } from "../inbox/quoted-mail.service.ts";
import type { Answered } from "../mail/outgoing-gate.service.ts";
import { type OutgoingAttachment, type OutgoingMail, SendError } from "../mail/senders/sender.service.ts";
import { senderDomain } from "../mail/sender-address.service.ts";

// The payload does not say which it is: what begins with an element of a page and ends with one is HTML.
const HTML = /^\s*<(!doctype|html|body|div|p|table|h[1-6]|ul|ol|span|a|b|strong|em|i|img|br|font|center)\b[^]*>\s*$/i;

const NOBODY_CAN_TELL =
  "The mailbox does not answer, so nobody can tell whose message this answers. Try again in a moment.";

/** Throws FORBIDDEN for anybody's mailbox but one's own, and one that a colleague shares for this. */
export async function requireMailboxOf(scope: Scope, userId: string, use: keyof MailboxSharing): Promise<void> {
  const isTheirs = scope.isAssignedOnly ? userId === scope.userId : await mayUseMailbox(scope, userId, use);
  if (!isTheirs) throw forbidden("userId: this person's mailbox is not yours to use.");
}

/**
 * The message of a call as senders take it; the address that it comes from has to be the mailbox's own. Nobody writes in
 * the name of whoever else it belongs to: from a colleague's mailbox mail comes under the practice's name.
 */
export async function mailFromGateway(
  scope: Scope,
  { userId, message }: Pick<ImapSend, "userId" | "message">,
  fileOf: JsonWithFiles["fileOf"],
): Promise<OutgoingMail> {
  const own = [(await mailboxOf(userId))?.email, (await providerAccountOf(userId))?.email].filter(Boolean);
  const from = foldEmail(message.from.address);
  if (own.length > 0 && !own.some((address) => address && foldEmail(address) === from)) {
    throw badField("message.from.address", `message.from.address: This mailbox sends as ${own.join(" or ")} only.`);
  }
  const mail: OutgoingMail = {
    fromName: userId === scope.userId ? message.from.name : await practiceNameOf(scope.ownerId),
    to: addressesOf("to", message.to),
    toName: message.to.length === 1 ? (message.to[0]?.name ?? "") : "",
    cc: addressesOf("cc", message.cc),
    subject: message.subject,
    body: message.body,
    isHtml: HTML.test(message.body),
    attachments: await filesOf(message, fileOf),
    messageId: `<${newId()}@${senderDomain()}>`,
    headers: Object.fromEntries(
      Object.entries(message.headers ?? {}).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
    calendar: null,
  };
  refuseLineBreaks(mail);
  return mail;
}

async function filesOf(
  { attachments }: ImapSend["message"],
  fileOf: JsonWithFiles["fileOf"],
): Promise<OutgoingAttachment[]> {
  const files: OutgoingAttachment[] = [];
  for (const { name, mimeType: mime, content } of attachments) {
    const long = fileOf(content);
    files.push({ name, mime, content: long ? await bytesOfLong(name, long) : bytesOf(name, content) });
  }
  return files;
}

/** What the message answers, by its own headers. Throws SendError where nobody can tell now. */
export async function answeredBy(
  scope: Scope,
  carrierId: string,
  { headers = {} }: ImapSend["message"],
): Promise<Answered[]> {
  const [inReplyTo = "", ...others] = headers["In-Reply-To"]?.split(" ") ?? [];
  const references = [...others, ...(headers.References?.split(" ") ?? [])];
  const { answers, isComplete } = await quotedBy(scope, { inReplyTo, references, carrierId });
  if (!isComplete) throw new SendError(NOBODY_CAN_TELL, { isTemporary: true });
  return answers;
}

function addressesOf(field: "to" | "cc", people: ImapSend["message"]["to"]): string[] {
  const checked = people.map(({ address }, index) => {
    const parsed = emailSchema.safeParse(address);
    const name = `message.${field}.${index}.address`;
    if (!parsed.success) throw badField(name, `${name}: “${cutText(address, 60)}” is no email address.`);
    return parsed.data;
  });
  return [...new Set(checked)];
}
