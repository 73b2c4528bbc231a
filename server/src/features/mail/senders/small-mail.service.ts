// A mail of text alone, written out at once: nodemailer streams every part, which costs more than such a mail itself.
import MailComposer from "nodemailer/lib/mail-composer";
import type MimeNode from "nodemailer/lib/mime-node";
import { encode, wrap } from "nodemailer/lib/qp";
import { envelopeOf, mailOptions, type Mailer, type RawMail } from "./compose.ts";
import { envelopeIdOf } from "./envelope-id.service.ts";
import type { OutgoingMail } from "./sender.service.ts";

const LINE_LENGTH = 76;

/** The same mail that `composeMail` makes, for one without attachments. */
export const composeSmallMail = (from: Mailer, mail: OutgoingMail): RawMail => ({
  envelope: envelopeOf(from, mail),
  envelopeId: envelopeIdOf(mail.messageId),
  bytes: Buffer.from(written(new MailComposer(mailOptions(from, mail)).compile())),
});

function written(node: MimeNode): string {
  const head = `${node.buildHeaders()}\r\n\r\n`;
  // Made with the headers.
  const { childNodes, content, boundary } = node;
  if (childNodes.length === 0) return head + ended(encoded(textOf(content), String(node.getTransferEncoding())));
  const parts = childNodes.map((child) => `--${String(boundary)}\r\n${written(child)}\r\n`);
  return `${head}${parts.join("")}--${String(boundary)}--\r\n`;
}

const textOf = (content: MimeNode["content"]) => (typeof content === "string" ? content : "");
const ended = (text: string) => (text.endsWith("\r\n") ? text : `${text}\r\n`);

/** In the encoding that nodemailer chose for it (RFC 2045). */
function encoded(content: string, encoding: string): string {
  const text = content.replace(/\r?\n/g, "\r\n");
  if (encoding === "quoted-printable") return wrap(encode(text), LINE_LENGTH);
  if (encoding === "base64")
    return Buffer.from(text)
      .toString("base64")
      .replace(/.{76}(?=.)/g, "$&\r\n");
  return text;
}
