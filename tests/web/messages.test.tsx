import type { ClientMail } from "@app/shared/inbox";
import type { CaseMailRow } from "@app/shared/mail";
import { expect, test } from "vitest";
import { matching, plainSubject, threadsOf } from "../../web/src/features/inbox/messages.ts";

const person = { name: "Priya", address: "priya@example.org" };
const received = (uid: number, date: string, fields: Partial<ClientMail> = {}): ClientMail => ({
  uid,
  folder: "INBOX",
  uidValidity: "1",
  messageId: `<m${uid}@example.org>`,
  inReplyTo: "",
  references: [],
  from: person,
  to: [],
  cc: [],
  subject: "About Tuesday",
  date,
  preview: "",
  isSeen: true,
  attachments: [],
  threadId: `<m${uid}@example.org>`,
  isFromUs: false,
  isSenderDoubted: false,
  ...fields,
});
const queued = (id: string, createdAt: string): CaseMailRow => ({
  isCut: false,
  id,
  toName: "Priya",
  to: person.address,
  subject: "Your appointment",
  text: "On Tuesday at ten",
  cc: [],
  attachmentNames: [],
  purpose: "letter",
  state: "sent",
  reason: "",
  method: "IMAP",
  isFallbackUsed: false,
  warnings: [],
  saidToBounce: "",
  partyId: null,
  createdAt,
  sendAt: null,
  sentAt: null,
});
const ids = (...[sources]: Parameters<typeof threadsOf>) =>
  threadsOf(sources).map(({ messages }) => messages.map(({ id }) => id));
function all<Item>(items: Item[]) {
  return { items, hasOlder: false };
}

test("messages: written and received mails are one list, the newest conversation first", () => {
  const mailbox = all([received(2, "2026-01-03T00:00:00.000Z"), received(1, "2026-01-01T00:00:00.000Z")]);
  expect(ids({ mailbox, outbox: all([queued("q", "2026-01-02T00:00:00.000Z")]) })).toEqual([
    ["INBOX:1:2"],
    ["q"],
    ["INBOX:1:1"],
  ]);
});

test("messages: the copy in Sent of a mail of the outbox is not shown again, and an answer to it stands with it", () => {
  const threadId = "<q@practice.example.org>";
  const mailbox = all([
    received(5, "2026-01-04T00:00:00.000Z", { inReplyTo: threadId, references: [threadId], threadId }),
    received(9, "2026-01-02T00:00:01.000Z", { folder: "Sent", messageId: threadId, threadId, isFromUs: true }),
  ]);
  expect(ids({ mailbox, outbox: all([queued("q", "2026-01-02T00:00:00.000Z")]) })).toEqual([["q", "INBOX:1:5"]]);
});

test("messages: nothing is shown beyond the point to which both lists are loaded", () => {
  const mailbox = { items: [received(2, "2026-01-05T00:00:00.000Z")], hasOlder: true };
  const outbox = all([queued("new", "2026-01-06T00:00:00.000Z"), queued("old", "2026-01-01T00:00:00.000Z")]);
  expect(ids({ mailbox, outbox })).toEqual([["new"], ["INBOX:1:2"]]);
  expect(ids({ mailbox: { ...mailbox, hasOlder: false }, outbox })).toEqual([["new"], ["INBOX:1:2"], ["old"]]);
});

test("messages: the outbox is searched for every word, a subject loses what mail programs put before it", () => {
  const mails = [queued("q", "2026-01-02T00:00:00.000Z")];
  expect(matching(mails, "TUESDAY priya")).toHaveLength(1);
  expect(matching(mails, "tuesday owen")).toHaveLength(0);
  expect(plainSubject("Re: FWD: Re : About Tuesday")).toBe("About Tuesday");
});
