import { EmailJSResponseStatus } from "@emailjs/nodejs";
import type { SendDetails } from "@app/shared/mail-payload";
import { visibleName } from "@app/shared/text";
import { settings } from "../../../core/settings.ts";
import { busy } from "../../../core/errors.ts";
import type { Asker } from "../../../core/fair-turns.ts";
import { findIdentityUser } from "../../users/users.service.ts";
import { senderAddress } from "../sender-address.service.ts";
import type { PassedMail } from "../outgoing-gate.service.ts";
import { asSentFor } from "./by-installation.service.ts";
import { type EmailJsOptions, NetworkError, sendForm, sendTemplate } from "./emailjs.service.ts";
import { NoTurnError, type ServiceTurn } from "./emailjs-turns.ts";
import { type OutgoingAttachment, type OutgoingMail, SendError, type Sender, toSendError } from "./sender.service.ts";

// All variables of a template together; what is declared as an attachment there counts apart.
const VARIABLES_MAX_BYTES = 50_000;
const KB = 1000;
const NON_BROWSER = "non-browser applications";
const NON_BROWSER_HINT =
  "Open Account, then Security in the EmailJS dashboard and allow API requests from non-browser applications.";

export const isEmailJsConfigured = (): boolean => {
  const { EMAILJS_PUBLIC_KEY, EMAILJS_SERVICE_ID, EMAILJS_TEMPLATE_ID } = settings();
  return EMAILJS_PUBLIC_KEY !== "" && EMAILJS_SERVICE_ID !== "" && EMAILJS_TEMPLATE_ID !== "";
};

interface Patience {
  /** A mail waits for its turn so long, as the service takes one in a second only. */
  patienceMs: number;
  /** Of whose many mails this is one, where it is the product's own. */
  productsFor?: Asker;
  /** Posted as the form data of a page, which is another call of the service. */
  asForm?: boolean;
}

/** The fallback service. Throws `busy` where the mail's turn did not come: then it was not even tried. */
export const emailJsSender = (patience: Patience): Sender => ({
  method: "EmailJS",
  name: "EmailJS",
  send: (userId, mail) => sendByEmailJs(userId, mail, patience),
});

/** What the settings say of the service, for every call of it. */
export function emailJsOptions(): EmailJsOptions {
  const { EMAILJS_PUBLIC_KEY, EMAILJS_PRIVATE_KEY, EMAILJS_BLOCK_LIST, EMAILJS_BLOCK_VARIABLE, EMAILJS_THROTTLE_MS } =
    settings();
  return {
    publicKey: EMAILJS_PUBLIC_KEY,
    privateKey: EMAILJS_PRIVATE_KEY,
    blockList: { list: EMAILJS_BLOCK_LIST, watchVariable: EMAILJS_BLOCK_VARIABLE },
    limitRate: { throttle: EMAILJS_THROTTLE_MS },
  };
}

async function sendByEmailJs(userId: string, passed: PassedMail, patience: Patience): Promise<SendDetails> {
  const mail = await asSentFor(userId, passed);
  const { EMAILJS_SERVICE_ID, EMAILJS_TEMPLATE_ID, EMAILJS_HTML_TEMPLATE_ID } = settings();
  const [attachment, ...others] = allAttachments(mail);
  const params = paramsOf(mail, attachment);
  checkSize(params, attachment);
  const templateId = (mail.isHtml && EMAILJS_HTML_TEMPLATE_ID) || EMAILJS_TEMPLATE_ID;
  const options = { ...emailJsOptions(), turn: await turnOf(userId, patience) };
  try {
    if (patience.asForm) await sendForm(EMAILJS_SERVICE_ID, templateId, formOf(params), options);
    else await sendTemplate(EMAILJS_SERVICE_ID, templateId, params, options);
  } catch (error) {
    throw failureOf(error);
  }
  const warnings = warningsOf(mail, others);
  return warnings.length > 0 ? { warnings } : {};
}

function formOf(params: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(params)) form.append(name, value);
  return form;
}

async function turnOf(userId: string, { patienceMs, productsFor }: Patience): Promise<ServiceTurn> {
  if (productsFor) return { line: "product", asker: productsFor, patienceMs };
  const owner = (await findIdentityUser(userId))?.owner_id;
  return { line: "people", asker: { group: owner ?? userId, one: userId }, patienceMs };
}

/** The parameters of the specification that say who speaks. */
export function speakerParams({ fromName, headers }: OutgoingMail) {
  const address = headers["Reply-To"] ?? senderAddress();
  return { from_email: address, reply_to: address, from_name: fromName };
}

const paramsOf = (mail: OutgoingMail, attachment: OutgoingAttachment | undefined) => ({
  to_email: mail.to.join(", "),
  ...speakerParams(mail),
  to_name: mail.toName,
  subject: mail.subject,
  message: mail.body,
  ...(attachment ? { filename: visibleName(attachment.name), content: attachment.content.toString("base64") } : {}),
});

const allAttachments = ({ attachments, calendar }: OutgoingMail): OutgoingAttachment[] => [
  ...attachments,
  ...(calendar ? [{ name: "invite.ics", mime: "text/calendar", content: Buffer.from(calendar.content) }] : []),
];

/** The service answers a mail that is too large with words about something else, so it is told here. */
function checkSize(params: Record<string, string>, attachment: OutgoingAttachment | undefined): void {
  const maxKb = settings().EMAILJS_MAX_ATTACHMENT_KB;
  if (attachment && attachment.content.length > maxKb * KB) {
    throw new SendError(
      `${attachment.name} is larger than the ${maxKb} kB that EmailJS takes. Send it in another way.`,
    );
  }
  const { content: _content, ...variables } = params;
  if (Buffer.byteLength(JSON.stringify(variables)) > VARIABLES_MAX_BYTES) {
    throw new SendError("The text is longer than the 50 kB that EmailJS takes. Shorten it or attach it as a file.");
  }
}

function warningsOf(mail: OutgoingMail, others: OutgoingAttachment[]): string[] {
  const names = others.map(({ name }) => name).join(", ");
  return [
    ...(others.length > 0 ? [`EmailJS takes one attachment only. Left out: ${names}.`] : []),
    ...(mail.cc.length > 0 ? [`EmailJS sends no copies. Left out: ${mail.cc.join(", ")}.`] : []),
  ];
}

function failureOf(error: unknown): Error {
  if (error instanceof NoTurnError) return busy();
  if (!(error instanceof EmailJSResponseStatus)) return toSendError(error);
  const { status, text } = error;
  const message = text.includes(NON_BROWSER) ? `${text}. ${NON_BROWSER_HINT}` : text || `HTTP ${status}: `;
  return new SendError(message, {
    isUncertain: error instanceof NetworkError && error.isUncertain,
    isTemporary: status === 0 || status === 429 || status >= 500,
    isUnanswered: status === 0,
    cause: error,
  });
}
