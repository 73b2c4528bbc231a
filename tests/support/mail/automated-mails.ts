// Mails in which a mail program says something, as they lie in a mailbox at practice.example.org after its server took
// them in: what that server found out about the sender stands above everything that the sender wrote.
import { aMail } from "./imap-mail.ts";

export const OWN_SERVER = "mx.practice.example.org";

/** The same mail as the server took it in, with these results, given by whom. */
export const stamped = (mail: string, results: string, by = OWN_SERVER): string =>
  [
    `Received: from mail.example.net by ${OWN_SERVER}; Thu, 01 Jan 2026 00:00:00 +0000`,
    `Authentication-Results: ${by};\n\t${results}`,
    mail,
  ].join("\n");

export const passing = (domain = "example.org") => `dmarc=pass (p=reject) header.from=${domain}`;
export const FAILING = "spf=fail smtp.mailfrom=other.example; dmarc=fail (p=none) header.from=example.org";

interface Reply {
  from: string;
  attendee?: string;
  uid: string;
  /** As text with what stands before it: `;VALUE=TEXT:abc`. */
  sequence?: number | string;
  method?: string;
  status?: string;
  headers?: string[];
}

export const aReply = ({
  from,
  attendee = from,
  uid,
  sequence = 0,
  method = "REPLY",
  status = "ACCEPTED",
  headers = [],
}: Reply) =>
  aMail({
    from,
    headers: [...headers, 'Content-Type: multipart/alternative; boundary="r"'],
    text: [
      "--r\nContent-Type: text/plain\n\nYes",
      `--r\nContent-Type: text/calendar; method=${method}; charset=utf-8`,
      "",
      `BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//x//x//EN\nMETHOD:${method}\nBEGIN:VEVENT\nUID:${uid}`,
      `SEQUENCE${typeof sequence === "string" ? sequence : `:${sequence}`}\nDTSTAMP:20300101T000000Z\nDTSTART:20310304T090000Z`,
      `ATTENDEE;PARTSTAT=${status}:MAILTO:${attendee}\nEND:VEVENT\nEND:VCALENDAR\n--r--`,
    ].join("\n"),
  });

interface Report {
  messageId: string;
  address: string;
  status?: string;
  action?: string;
  /** What only the server that took the mail knows. */
  envelopeId?: string;
  from?: string;
  type?: string;
  /** Whoever else did not get it, and stands before. */
  others?: string[];
  /** Where it was passed on to, from this address. */
  passedOnTo?: string;
}

export const aReport = ({
  messageId,
  address,
  status = "5.1.1",
  action = "failed",
  envelopeId,
  from = "mailer-daemon@practice.example.org",
  type = "report; report-type=delivery-status",
  others = [],
  passedOnTo,
}: Report) =>
  aMail({
    from: `Mail Delivery Subsystem <${from}>`,
    subject: "Undelivered Mail Returned to Sender",
    headers: [`Content-Type: multipart/${type}; boundary="r"`],
    text: [
      "--r\nContent-Type: text/plain\n\nIt did not work",
      "--r\nContent-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.org",
      ...(envelopeId ? [`Original-Envelope-Id: ${envelopeId}\n`] : [""]),
      ...others.map((other) => `Final-Recipient: rfc822; ${other}\nAction: failed\nStatus: 5.1.1\n`),
      ...(passedOnTo ? [`Original-Recipient: rfc822; ${address}`] : []),
      `Final-Recipient: rfc822; ${passedOnTo ?? address}\nAction: ${action}\nStatus: ${status}\nDiagnostic-Code: smtp; 550 5.1.1 User\n unknown`,
      `--r\nContent-Type: text/rfc822-headers\n\nMessage-ID: ${messageId}\nSubject: Your appointment\n\n--r--`,
    ].join("\n"),
  });
