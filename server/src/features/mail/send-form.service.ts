// A form of a page, relayed to the fallback service.
import { EmailJSResponseStatus } from "@emailjs/nodejs";
import { badField } from "../../core/errors.ts";
import { settings } from "../../core/settings.ts";
import { recipientsOf } from "./recipients.ts";
import { sendForm } from "./senders/emailjs.ts";
import { emailJsOptions } from "./senders/emailjs-sender.ts";
import { SendError } from "./senders/sender.ts";

interface FormCall {
  body: Buffer;
  contentType: string;
  /** The page is driven by a program. */
  isHeadless: boolean;
}

/** Throws SendError with the status of the service, and BAD_REQUEST for what is no form data. */
export async function relayForm({ body, contentType, isHeadless }: FormCall): Promise<void> {
  const form = await formOf(body, contentType);
  for (const field of ["to_email", "cc"] as const) recipientsOf(field, textOf(form, field));
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

async function formOf(body: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { "content-type": contentType } }).formData();
  } catch (error) {
    if (error instanceof TypeError) throw badField("form", "This is no form data. Send the form from its page.");
    throw error;
  }
}

function textOf(form: FormData, field: string): string {
  const value = form.get(field);
  return typeof value === "string" ? value : "";
}
