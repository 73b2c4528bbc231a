// A mail that did not pass the gate does not compile. Nothing here is ever run, and `tsc -b tests` fails where one of
// the lines below that are expected to be errors compiles.
import { sendPassed } from "@app/server/features/mail/mail.service";
import { mailOf, type PassedMail } from "@app/server/features/mail/outgoing-gate.service";
import { mailboxSender } from "@app/server/features/mail/senders/mailbox-sender.service";
import type { OutgoingMail, Sender } from "@app/server/features/mail/senders/sender.service";
import type { Carrier } from "@app/server/features/mailings/mailing-carrier";

export async function withoutGate(mail: OutgoingMail, sender: Sender, carrier: Carrier): Promise<void> {
  // @ts-expect-error a sender takes what passed the gate
  await mailboxSender.send("u", mail);
  // @ts-expect-error so does every other one
  await sender.send("u", mail);
  // @ts-expect-error so does the strategy
  await sendPassed(mail, { userId: "u" });
  // @ts-expect-error so does what carries a mailing
  await carrier.send(mail);
}

export const forged = (mail: OutgoingMail): PassedMail[] => [
  // @ts-expect-error an object that looks like nothing
  {},
  // @ts-expect-error a symbol of the same name
  { [Symbol("passed the outgoing gate")]: mail },
];

export function changedAfterwards(passed: PassedMail): PassedMail {
  // @ts-expect-error what passed is not written to
  mailOf(passed).subject = "Something else";
  // @ts-expect-error and what is made of it has not passed
  return { ...mailOf(passed), to: ["other@example.org"] };
}
