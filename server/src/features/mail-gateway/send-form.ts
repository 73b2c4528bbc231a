// A form of a page, relayed to the fallback service: through the gate and with the record that every mail has.
import { EmailJSResponseStatus } from "@emailjs/nodejs";
import { visibleName } from "@app/shared/text";
import { badField } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Scope } from "../../core/trpc.ts";
import { SECOND_MS } from "../../core/clock.ts";
import { ofPerson } from "../../core/fair-turns.ts";
import { settings } from "../../core/settings.ts";
import type { PassedMail } from "../mail/outgoing-gate.service.ts";
import { practiceNameOf } from "../practices/practices.service.ts";
import { sendDirectly } from "../outbox/direct-mail.service.ts";
import { everKnownAmong } from "../contacts/known-address.service.ts";
import {
  addressesInForm,
  addressesOfTwoFields,
  contentOfForm,
  contentsOfForm,
  ownFieldsOf,
  spokenBy,
} from "./form-fields.ts";
import { recipientsOf } from "../mail/recipients.service.ts";
import { NetworkError, sendForm } from "../mail/senders/emailjs.service.ts";
import { asSentFor } from "../mail/senders/by-installation.service.ts";
import { emailJsOptions, speakerParams } from "../mail/senders/emailjs-sender.service.ts";
import { type OutgoingMail, SendError } from "../mail/senders/sender.service.ts";
import { senderDomain } from "../mail/sender-address.service.ts";

interface FormCall {
  body: Buffer;
  contentType: string;
  /** The page is driven by a program. */
  isHeadless: boolean;
  /** What its sender calls it, so that it leaves once however often it is sent; null where they call it nothing. */
  id: string | null;
}

// Whoever sent it waits for the answer.
const PATIENCE_MS = 15 * SECOND_MS;
const CANNOT_BE_NEUTRAL =
  "Somebody in this form must be reached discreetly, and nobody can tell what the form’s template shows on the outside. Write them a message from their page.";

/** Throws SendError with the status of the service, BAD_REQUEST for what is no form data, CONFLICT as the gate does. */
export async function relayForm(scope: Scope, { body, contentType, isHeadless, id }: FormCall): Promise<void> {
  const form = ownFieldsOf(await formOf(body, contentType));
  const mail = mailOfForm(form, await practiceNameOf(scope.ownerId));
  await sendDirectly(scope, {
    mail,
    // The service gives a mail no such header.
    answers: [],
    alsoReaches: [
      ...(await addressesInForm(form)),
      // Of all that two fields could make by chance, what would reach somebody.
      ...(await everKnownAmong(scope.ownerId, addressesOfTwoFields(form))),
    ],
    carries: await contentsOfForm(form),
    cannotBeNeutral: CANNOT_BE_NEUTRAL,
    method: "EmailJS",
    sending: id === null ? null : { id, what: "functions/send-form", input: await contentOfForm(form) },
    async send(passed) {
      await handOver(scope, { form, passed, isHeadless });
      return { messageId: mail.messageId };
    },
  });
}

interface HandOver {
  form: FormData;
  passed: PassedMail;
  isHeadless: boolean;
}

async function handOver(scope: Scope, { form, passed, isHeadless }: HandOver): Promise<void> {
  const { EMAILJS_SERVICE_ID, EMAILJS_TEMPLATE_ID, EMAILJS_BLOCK_HEADLESS } = settings();
  const mail = await asSentFor(scope.userId, passed);
  try {
    await sendForm(EMAILJS_SERVICE_ID, EMAILJS_TEMPLATE_ID, spokenBy(form, speakerParams(mail), mail.subject), {
      ...emailJsOptions(),
      isHeadless: isHeadless && EMAILJS_BLOCK_HEADLESS,
      turn: { line: "people", asker: ofPerson(scope), patienceMs: PATIENCE_MS },
    });
  } catch (error) {
    if (error instanceof NetworkError && error.isUncertain) throw new SendError(error.text, { isUncertain: true });
    if (error instanceof EmailJSResponseStatus) throw new SendError(error.text, { status: error.status || 502 });
    if (error instanceof Error) throw new SendError(error.message, { cause: error });
    throw error;
  }
}

/** The form as its record shows it. Who speaks is the practice, whatever the form says. */
function mailOfForm(form: FormData, fromName: string): OutgoingMail {
  return {
    fromName,
    to: recipientsOf("to_email", textOf(form, "to_email")),
    toName: lineOf(form, "to_name"),
    cc: [...recipientsOf("cc", textOf(form, "cc")), ...recipientsOf("bcc", textOf(form, "bcc"))],
    subject: lineOf(form, "subject", SUBJECT_MAX_LENGTH) || "Form",
    body: wordsOf(form),
    isHtml: false,
    attachments: filesOf(form),
    messageId: `<${newId()}@${senderDomain()}>`,
    headers: {},
    calendar: null,
  };
}

const NAME_MAX_LENGTH = 100;
const SUBJECT_MAX_LENGTH = 200;
const SHOWN_APART = new Set(["to_email", "cc", "bcc", "to_name", "from_name", "from_email", "reply_to", "subject"]);

/** In a record a name or a subject has one line. */
const lineOf = (form: FormData, field: string, maxLength = NAME_MAX_LENGTH): string =>
  visibleName(textOf(form, field).replace(/\s+/g, " ")).slice(0, maxLength).trim();

/** The message, and below it whatever else the form says. */
function wordsOf(form: FormData): string {
  const others = [...new Set(form.keys())].filter((name) => !SHOWN_APART.has(name) && name !== "message");
  const lines = others.map((name) => `${name}: ${textOf(form, name)}`).filter((line) => !line.endsWith(": "));
  return [textOf(form, "message"), lines.join("\n")].filter(Boolean).join("\n\n");
}

/** By name alone: of what is sent at once no record keeps the content. */
const filesOf = (form: FormData): OutgoingMail["attachments"] =>
  [...form.values()]
    .filter((value) => typeof value !== "string")
    .map(({ name, type }) => ({
      name: visibleName(name).slice(0, NAME_MAX_LENGTH) || "file",
      mime: visibleName(type).slice(0, NAME_MAX_LENGTH) || "application/octet-stream",
      content: Buffer.alloc(0),
    }));

const FIELDS_MAX = 500;

/** Throws BAD_REQUEST where a form has more fields than any page: what reads them looks at all of them for each. */
function assertFewFields(body: Buffer, contentType: string): void {
  const [, quoted, plain] = /boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  const between = boundary === undefined ? "&" : `--${boundary}`;
  let count = 0;
  for (let at = body.indexOf(between); at >= 0; at = body.indexOf(between, at + between.length))
    if ((count += 1) > FIELDS_MAX + 1)
      throw badField("form", `A form has at most ${FIELDS_MAX} fields. Send a form with fewer.`);
}

async function formOf(body: Buffer, contentType: string): Promise<FormData> {
  assertFewFields(body, contentType);
  try {
    return await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  } catch (error) {
    if (error instanceof TypeError) throw badField("form", "This is no form data. Send the form from its page.");
    throw error;
  }
}

/** A field that stands there more than once says all of it. */
const textOf = (form: FormData, field: string): string =>
  form
    .getAll(field)
    .filter((value) => typeof value === "string")
    .join(",");
