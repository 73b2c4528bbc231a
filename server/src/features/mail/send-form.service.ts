// A form of a page, relayed to the fallback service.
import { EmailJSResponseStatus } from "@emailjs/nodejs";
import { foldEmail } from "@app/shared/email-address";
import { badField, conflict } from "../../core/errors.ts";
import { settings } from "../../core/settings.ts";
import type { Scope } from "../../core/trpc.ts";
import { judgeOne, reasonFor } from "./gate.service.ts";
import { mailOf } from "./outgoing-gate.ts";
import { recipientsOf } from "./recipients.ts";
import { sendForm } from "./senders/emailjs.ts";
import { emailJsOptions } from "./senders/emailjs-sender.ts";
import { type OutgoingMail, SendError } from "./senders/sender.ts";

interface FormCall {
  body: Buffer;
  contentType: string;
  /** The page is driven by a program. */
  isHeadless: boolean;
}

/** Throws SendError with the status of the service, BAD_REQUEST for what is no form data, CONFLICT as the gate does. */
export async function relayForm(scope: Scope, { body, contentType, isHeadless }: FormCall): Promise<void> {
  const form = await passedForm(scope, await formOf(body, contentType));
  const { EMAILJS_SERVICE_ID, EMAILJS_TEMPLATE_ID, EMAILJS_BLOCK_HEADLESS } = settings();
  try {
    await sendForm(EMAILJS_SERVICE_ID, EMAILJS_TEMPLATE_ID, form, {
      ...emailJsOptions(),
      isHeadless: isHeadless && EMAILJS_BLOCK_HEADLESS,
    });
  } catch (error) {
    if (error instanceof EmailJSResponseStatus) throw new SendError(error.text, { status: error.status || 502 });
    if (error instanceof Error) throw new SendError(error.message, { cause: error });
    throw error;
  }
}

/** The form as it may leave: what its fields say goes through the gate like every mail. */
async function passedForm(scope: Scope, form: FormData): Promise<FormData> {
  const [to, cc] = [recipientsOf("to_email", textOf(form, "to_email")), recipientsOf("cc", textOf(form, "cc"))];
  const copies = recipientsOf("bcc", textOf(form, "bcc"));
  const others = otherAddressesIn(form);
  const mail: OutgoingMail = {
    fromName: textOf(form, "from_name"),
    to,
    toName: textOf(form, "to_name"),
    cc: [...cc, ...copies, ...others],
    subject: textOf(form, "subject"),
    body: textOf(form, "message"),
    isHtml: false,
    attachments: [],
    messageId: "",
    headers: {},
    calendar: null,
  };
  const letter = { mail, clientId: null, party: null, senderName: scope.userName };
  const verdict = await judgeOne(scope.ownerId, letter);
  if (!verdict.passes) throw conflict(await reasonFor(scope, verdict.problems));
  if (verdict.isNeutral) {
    const { fromName, subject } = mailOf(verdict.mail);
    form.set("from_name", fromName);
    form.set("subject", subject);
    if (form.has("reply_to")) form.set("reply_to", addressIn(textOf(form, "reply_to")));
  }
  return form;
}

/** What is said to people, not where the mail goes. */
const SAID = new Set(["to_email", "cc", "bcc", "from_email", "reply_to", "from_name", "to_name", "subject", "message"]);
const FIELD_MAX_LENGTH = 10_000;
const ADDRESS = /[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+/gu;

/** A template of the service may send to whatever its owner named: every field that holds an address is judged. */
const otherAddressesIn = (form: FormData): string[] =>
  [...new Set(form.keys())]
    .filter((field) => !SAID.has(field))
    .flatMap((field) => textOf(form, field).slice(0, FIELD_MAX_LENGTH).match(ADDRESS) ?? [])
    .map(foldEmail);

const addressIn = (text: string): string => foldEmail(text.match(ADDRESS)?.[0] ?? "");

async function formOf(body: Buffer, contentType: string): Promise<FormData> {
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
