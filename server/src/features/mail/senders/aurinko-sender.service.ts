import { z } from "zod";
import type { SendDetails } from "@app/shared/mail-payload";
import { settings } from "../../../core/settings.ts";
import { type ProviderAccount, providerAccountOf } from "../../mailboxes/mailbox-access.service.ts";
import { setConnectionActive } from "../../users/email-connection.service.ts";
import { mailOf, type PassedMail } from "../outgoing-gate.service.ts";
import { type Answer, parsed, post, refusalOf } from "./http-post.ts";
import { type OutgoingMail, type Sender, tokenNotFound } from "./sender.service.ts";

export const AURINKO_FAILURE = "Failed to send email with Aurinko";

/** The mailbox at another provider, reached through Aurinko. */
export const aurinkoSender: Sender = { method: "Aurinko", name: "Aurinko", send: sendByAurinko };

const acceptedSchema = z.looseObject({
  submittedMessageId: z.string().nullish(),
  processingStatus: z.string().nullish(),
  processingError: z.looseObject({ errorMessage: z.string().nullish() }).nullish(),
});

async function sendByAurinko(userId: string, passed: PassedMail): Promise<SendDetails> {
  const mail = mailOf(passed);
  const account = await providerAccountOf(userId);
  if (!account) throw tokenNotFound();
  const answer = await post({
    url: `${settings().AURINKO_API_URL}/v1/email/messages?bodyType=${mail.isHtml ? "html" : "text"}&returnIds=true`,
    headers: { authorization: `Bearer ${account.accessToken}` },
    body: JSON.stringify(messageOf(account, mail)),
    failure: AURINKO_FAILURE,
  });
  if (answer.status < 200 || answer.status >= 300) {
    await noteDeadToken(userId, account, answer);
    throw refusalOf(answer, "message");
  }
  return detailsOf(answer, mail);
}

const messageOf = ({ email }: ProviderAccount, mail: OutgoingMail) => ({
  from: { name: mail.fromName, address: email },
  subject: mail.subject,
  body: mail.body,
  to: mail.to.map((address) => ({ name: mail.to.length === 1 ? mail.toName : "", address })),
  cc: mail.cc.map((address) => ({ name: "", address })),
  ...(mail.headers["In-Reply-To"] ? { inReplyTo: mail.headers["In-Reply-To"] } : {}),
  ...(mail.headers["References"] ? { references: mail.headers["References"] } : {}),
  xHeaders: Object.entries(mail.headers)
    .filter(([name]) => name !== "In-Reply-To" && name !== "References")
    .map(([name, value]) => ({ name, value })),
  attachments: allAttachments(mail).map(({ name, mime, content }) => ({
    name,
    mimeType: mime,
    content: content.toString("base64"),
    inline: false,
  })),
});

/** The calendar entry too: this service takes none apart from the files. */
const allAttachments = ({ attachments, calendar }: OutgoingMail) => [
  ...attachments,
  ...(calendar
    ? [
        {
          name: "invite.ics",
          mime: `text/calendar; method=${calendar.method}`,
          content: Buffer.from(calendar.content),
        },
      ]
    : []),
];

function detailsOf(answer: Answer, mail: OutgoingMail): SendDetails {
  const accepted = acceptedSchema.safeParse(parsed(answer.text));
  const { submittedMessageId, processingStatus, processingError } = accepted.success ? accepted.data : {};
  const details: SendDetails = { messageId: submittedMessageId ?? mail.messageId };
  if (processingStatus !== "Incomplete") return details;
  const reason = processingError?.errorMessage ?? "no reason was given";
  return { ...details, warnings: [`The mail was sent, but the provider did not finish with it: ${reason}.`] };
}

/** A permission that was withdrawn does not come back by itself: the person has to connect again. */
async function noteDeadToken(userId: string, { email }: ProviderAccount, { text }: Answer): Promise<void> {
  const code = z.looseObject({ code: z.enum(["token.dead", "token.refresh.failed"]) }).safeParse(parsed(text));
  if (code.success) await setConnectionActive(userId, email, false);
}
