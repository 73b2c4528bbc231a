// A mail gateway kept elsewhere (MAIL_FUNCTIONS_URL), called with the payloads of the specification.
import { gatewayHeadersSchema, type ImapFetch, type ImapSend, type ProviderSend } from "@app/shared/mail-payload";
import { settings } from "../../core/settings.ts";
import { post, parsed, refusalOf, type Answer } from "./senders/http-post.ts";
import type { OutgoingMail } from "./senders/sender.service.ts";

type GatewayCall = "imap-send" | "imap-fetch" | "provider-send";

export const hasGateway = (): boolean => settings().MAIL_FUNCTIONS_URL !== undefined;

/** Posts one call and gives what was answered; throws SendError in the gateway's own words. */
export async function callGateway(call: GatewayCall, payload: ImapSend | ImapFetch | ProviderSend): Promise<unknown> {
  const { MAIL_FUNCTIONS_TOKEN: token } = settings();
  const answer: Answer = await post({
    url: addressOf(call),
    headers: token ? { authorization: `Bearer ${token}` } : {},
    body: JSON.stringify(payload),
    failure: "The mail gateway did not answer. Try again later.",
  });
  if (answer.status >= 200 && answer.status < 300) return parsed(answer.text);
  throw refusalOf(answer, call === "provider-send" ? "message" : "error");
}

/** The setting may name the folder of the functions or what is above it. */
function addressOf(call: GatewayCall): string {
  const base = (settings().MAIL_FUNCTIONS_URL ?? "").replace(/\/+$/, "").replace(/\/functions$/, "");
  return `${base}/functions/${call}`;
}

/** The message of a call, in the field names of the specification. */
export const gatewayMessage = (from: { name: string; address: string }, mail: OutgoingMail): ImapSend["message"] => ({
  from,
  to: mail.to.map((address) => ({ name: mail.to.length === 1 ? mail.toName : "", address })),
  cc: mail.cc.map((address) => ({ name: "", address })),
  subject: mail.subject,
  body: mail.body,
  attachments: withCalendar(mail).map(({ name, mime, content }) => ({
    mimeType: mime,
    name,
    content: content.toString("base64"),
    contentEncoding: "base64",
  })),
  ...headersOf(mail),
});

/** The payload has no other place for a calendar entry; its type says what it is (RFC 6047, 2.4). */
const withCalendar = ({ attachments, calendar }: OutgoingMail): OutgoingMail["attachments"] => {
  if (!calendar) return attachments;
  const mime = `text/calendar; charset=utf-8; method=${calendar.method}`;
  return [...attachments, { name: "invite.ics", mime, content: Buffer.from(calendar.content) }];
};

function headersOf({ headers }: OutgoingMail): Pick<ImapSend["message"], "headers"> {
  const told = gatewayHeadersSchema.safeParse(headers);
  return told.success && Object.keys(told.data).length > 0 ? { headers: told.data } : {};
}
