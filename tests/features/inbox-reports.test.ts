// Reports that a mail came back, written by whoever has the mail, or by the server that could not deliver it.
import { newId } from "@app/server/core/ids";
import { closeConnections } from "@app/server/features/inbox/connections";
import { envelopeIdOf } from "@app/server/features/mail/senders/envelope-id.service";
import { MailingItemModel } from "@app/server/features/mailings/mailings.model";
import { richTextOf } from "@app/shared/rich-text";
import { afterAll, describe, expect, test } from "vitest";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { refusal } from "../support/access/refusal.ts";
import { anInvitedMeeting, aWatchedMailbox, sentTo, SENDER_CHECKS } from "../support/mail/watched-mailbox.ts";
import { aReport, passing, stamped } from "../support/mail/automated-mails.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf, sealContent } from "@app/server/features/outbox/outbox.service";

describe.skipIf(whyNoDovecot)("reports on mail that came back", () => {
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp(SENDER_CHECKS));
  afterAll(closeConnections);
  const box = forEachTest(() => aWatchedMailbox(app, dovecot));

  const suppressed = async () => {
    const { items } = await box.practice.api.suppressions.list.query({ page: 1 });
    return items.map(({ address, reason, detail }) => [address, reason, detail]);
  };
  const anInvitation = async () => {
    const { first, second } = await anInvitedMeeting(box.practice);
    return { first, second, mail: await sentTo(box.practice, first.id) };
  };
  const REFUSED = "550 5.1.1 User unknown";

  /** The same mail, with somebody else in copy. */
  async function withCopy(id: string, address: string) {
    const { ownerId } = box.practice;
    const mail = await OutboxModel.findOne({ ownerId, _id: id }).lean();
    if (!mail) throw new Error("there is no such mail");
    const contentEnc = sealContent(ownerId, id, { ...contentOf(mail), cc: [address] });
    await OutboxModel.updateOne({ ownerId, _id: id }, { $set: { contentEnc } });
  }

  test("S78: a report with the identifier that only the servers know marks the mail, and stops mailings to the address", async () => {
    const { first, mail } = await anInvitation();
    const { messageId, shown } = mail;
    const report = { messageId, address: first.email, envelopeId: envelopeIdOf(messageId) };
    await box.came([
      aReport({ ...report, address: "somebody@else.example" }),
      aReport({ ...report, messageId: "<no@such>" }),
      aReport({ ...report, action: "delayed", status: "4.2.0" }),
    ]);
    expect((await shown())?.state).toBe("sent");
    await box.came([aReport(report)]);
    const reason = `It could not be delivered to ${first.email}: ${REFUSED}`;
    expect(await shown()).toMatchObject({ state: "bounced", reason, saidToBounce: "" });
    expect(await suppressed()).toEqual([[first.email, "bounced", reason]]);
    const { items } = await box.practice.api.timeline.list.query({ clientId: first.id, page: 1 });
    expect(items.map(({ text }) => text)).toContain(`Mailings to ${first.email} are stopped: a mail came back`);
  });

  test("S78: a stopped address, when somebody allows it again, is off the list, and the history of the client says so", async () => {
    const { first, mail } = await anInvitation();
    const envelopeId = envelopeIdOf(mail.messageId);
    await box.came([aReport({ messageId: mail.messageId, address: first.email, envelopeId })]);
    const { api } = box.practice;
    const [stopped] = (await api.suppressions.list.query({ page: 1 })).items;
    await api.suppressions.remove.mutate({ id: stopped?.id ?? "" });
    expect(await suppressed()).toEqual([]);
    const { items } = await api.timeline.list.query({ clientId: first.id, page: 1 });
    expect(items[0]).toMatchObject({
      text: `Mailings to ${first.email} are allowed again`,
      actorName: "Ines Marchbank",
    });
  });

  const FORGED = {
    "names no identifier": {},
    "names another mail's identifier": { envelopeId: "A".repeat(43) },
    "is from a stranger whose mail passes": { from: "mailer-daemon@example.org", results: passing() },
    "says it is from the provider": { from: "mailer-daemon@practice.example.org", results: "dmarc=fail" },
    "is from a colleague at the provider": {
      from: "tom@practice.example.org",
      results: passing("practice.example.org"),
    },
  };
  test.each(Object.entries(FORGED))(
    "S78: a report that %s changes nothing until somebody says that it is true",
    async (_why, { results = "", ...fields }: { results?: string; from?: string; envelopeId?: string }) => {
      const { first, mail } = await anInvitation();
      const report = aReport({ messageId: mail.messageId, address: first.email, ...fields });
      await box.came([results ? stamped(report, results) : report]);
      const { api } = box.practice;
      expect(await mail.shown()).toMatchObject({ state: "sent", saidToBounce: expect.stringContaining(REFUSED) });
      expect(await suppressed()).toEqual([]);
      const settle = () => api.outbox.settleBounce.mutate({ id: mail.id, hasBounced: true });
      expect(await settle()).toMatchObject({ state: "bounced", saidToBounce: "" });
      expect(await suppressed()).toHaveLength(1);
      expect(await refusal(settle())).toMatchObject({ code: "PRECONDITION_FAILED" });
    },
  );

  test("S78: a report that nothing proves, when somebody ignores it, is gone and the mail counts as sent", async () => {
    const { first, mail } = await anInvitation();
    await box.came([aReport({ messageId: mail.messageId, address: first.email })]);
    const { api } = box.practice;
    expect(await api.outbox.settleBounce.mutate({ id: mail.id, hasBounced: false })).toMatchObject({
      state: "sent",
      saidToBounce: "",
    });
    expect(await suppressed()).toEqual([]);
  });

  test("S78: a mail with somebody in copy, whose server may know the identifier, counts as returned by the provider's word alone", async () => {
    const { first, mail } = await anInvitation();
    await withCopy(mail.id, "owen.solicitor@example.net");
    const report = { messageId: mail.messageId, address: first.email };
    await box.came([aReport({ ...report, envelopeId: envelopeIdOf(mail.messageId) })]);
    expect(await mail.shown()).toMatchObject({ state: "sent", saidToBounce: expect.stringContaining(REFUSED) });
    await box.came([stamped(aReport(report), passing("practice.example.org"))]);
    expect(await mail.shown()).toMatchObject({ state: "bounced", saidToBounce: "" });
  });

  test("S78: a report of the provider that names somebody in copy first marks the mail", async () => {
    const { first, mail } = await anInvitation();
    await withCopy(mail.id, "owen.solicitor@example.net");
    const report = { messageId: mail.messageId, address: first.email, others: ["owen.solicitor@example.net"] };
    await box.came([stamped(aReport(report), passing("practice.example.org"))]);
    expect(await mail.shown()).toMatchObject({ state: "bounced" });
    expect(await suppressed()).toEqual([[first.email, "bounced", expect.stringContaining(REFUSED)]]);
  });

  test.each([
    ["was for another mailbox, as if it had been for this one", { passedOnTo: "mine@evil.example" }],
    ["was refused for what it said", { status: "5.7.1" }],
    ["was refused for its sender", { status: "5.1.8" }],
    ["could not be delivered in time", { status: "4.4.7" }],
  ])(
    "S78: a report of the provider on a mail that %s, which may be another's, changes nothing until somebody says that it is true",
    async (_what, told) => {
      const { first, mail } = await anInvitation();
      const report = { messageId: mail.messageId, address: first.email, ...told };
      await box.came([stamped(aReport(report), passing("practice.example.org"))]);
      expect(await mail.shown()).toMatchObject({ state: "sent", saidToBounce: expect.stringContaining(REFUSED) });
      expect(await suppressed()).toEqual([]);
      await box.came([aReport({ ...report, envelopeId: envelopeIdOf(mail.messageId) })]);
      expect(await mail.shown()).toMatchObject({ state: "bounced", saidToBounce: "" });
    },
  );

  test("S78: a report that is no report but a mail which holds one says nothing at all", async () => {
    const { first, mail } = await anInvitation();
    const envelopeId = envelopeIdOf(mail.messageId);
    await box.came([aReport({ messageId: mail.messageId, address: first.email, envelopeId, type: "mixed" })]);
    expect(await mail.shown()).toMatchObject({ state: "sent", saidToBounce: "" });
  });

  test("S78: one mail of a mailing came back, proved for one recipient and merely said of another", async () => {
    const { api, ownerId } = box.practice;
    const source = { kind: "csv" as const, csv: "value,label\nowen@example.org,Owen\nann@example.org,Ann" };
    const mailing = { subject: "We move", body: richTextOf("We move."), perMinute: 0, source };
    const { id } = await api.mailings.create.mutate({ id: newId(), ...mailing });
    await MailingItemModel.updateMany({ ownerId }, { $set: { state: "sent" } });
    const itemOf = async (address: string) => {
      const item = await MailingItemModel.findOne({ ownerId, address }).lean();
      if (!item) throw new Error(`nobody of the mailing has the address ${address}`);
      return item;
    };
    const [owen, ann] = [await itemOf("owen@example.org"), await itemOf("ann@example.org")];
    await box.came([
      aReport({ messageId: owen.messageId, address: ann.address, envelopeId: envelopeIdOf(owen.messageId) }),
      aReport({ messageId: owen.messageId, address: owen.address, envelopeId: envelopeIdOf(owen.messageId) }),
      aReport({ messageId: ann.messageId, address: ann.address, envelopeId: envelopeIdOf(owen.messageId) }),
    ]);
    const shown = async () => {
      const { items } = await api.mailings.listItems.query({ mailingId: id, page: 1 });
      return new Map(items.map(({ address, state, saidToBounce }) => [address, [state, saidToBounce !== ""]]));
    };
    expect((await shown()).get(owen.address)).toEqual(["failed", false]);
    expect((await shown()).get(ann.address)).toEqual(["sent", true]);
    expect((await suppressed()).map(([address]) => address)).toEqual([owen.address]);
    await api.mailings.settleBounce.mutate({ mailingId: id, id: ann._id, hasBounced: true });
    expect((await shown()).get(ann.address)).toEqual(["failed", false]);
    expect(await suppressed()).toHaveLength(2);
  });
});
