// S72: what is filed from a client's mail stays what the practice has it as, and else is in that client's confidence.
import { newId } from "@app/server/core/ids";
import { closeConnections } from "@app/server/features/inbox/connections";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import type { Permission } from "@app/shared/access";
import type { FileMark, StoredFile } from "@app/shared/files";
import { caucusOf, forParty, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { startDovecot, whyNoDovecot } from "../support/mail/dovecot.ts";
import { aMail, layMails } from "../support/mail/imap-mail.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { connectMailbox } from "../support/mail/mailbox.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { aSignedCase } from "../support/server/signed.ts";
import { startTestApp } from "../support/server/test-app.ts";

const CONFIDENTIAL: FileMark = { privilege: "confidential", isFinancial: false };
const MAY_FILE: Permission[] = ["clients.read", "clients.write", "documents.manage", "mail.read", "mail.send"];

describe.skipIf(whyNoDovecot)("an attachment that is filed", () => {
  let email: string;
  let count = 0;
  let built: Awaited<ReturnType<typeof aCase>>;
  const dovecot = forAllTests(startDovecot);
  const app = forAllTests(() => startTestApp({ MAIL_ALLOW_PRIVATE_HOSTS: "true" }));
  const practice = forEachTest(() => aPractice(app));
  afterAll(closeConnections);
  beforeEach(async () => {
    email = `files${(count += 1)}@practice.example.org`;
    await connectMailbox(practice.ownerId, { email, smtpPort: 1, imapPort: dovecot.port, ca: dovecot.ca });
    built = await aCase(practice);
  });

  async function upload(visibility: Visibility, content: string, mark?: FileMark): Promise<StoredFile> {
    const { theCase, first } = built;
    const input = { id: newId(), name: "papers.txt", clientId: first.id, caseId: theCase.id, visibility, mark };
    const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
      method: "POST",
      headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
      body: content,
    });
    expect(response.status).toBe(201);
    return response.json();
  }

  interface Laid {
    from?: string;
    to?: string;
    messageId?: string;
    folder?: string;
    cc?: string;
  }

  /** Where the mail lies that has this content attached, on the page of the first party. */
  async function laid(content: string, { folder = "INBOX", cc, ...fields }: Laid = {}) {
    const clientId = built.first.id;
    const encoded = Buffer.from(content).toString("base64");
    const part = `Content-Type: text/plain; name=diary.txt\nContent-Disposition: attachment\nContent-Transfer-Encoding: base64\n\n${encoded}`;
    const mail = aMail({
      from: built.first.email,
      ...fields,
      headers: ['Content-Type: multipart/mixed; boundary="r"', ...(cc ? [`Cc: ${cc}`] : [])],
      text: `--r\nContent-Type: text/plain\n\nHere it is\n--r\n${part}\n--r--`,
    });
    await layMails(dovecot, email, [mail], { folder });
    // A mailbox that does not answer at once is told, and asked again.
    const found = await vi.waitFor(async () => {
      const { items, problem } = await practice.api.inbox.list.query({ clientId });
      if (!items[0]) throw new Error(`the mail is missing: ${problem}`);
      return items[0];
    }, 60_000);
    const place = { clientId, folder: found.folder, uidValidity: found.uidValidity, uid: found.uid };
    return (visibility: Visibility, caseId: string | null = built.theCase.id, person: TestPerson = practice) =>
      person.api.inbox.fileAttachment.mutate({
        id: newId(),
        ...place,
        part: "2",
        name: "copy.txt",
        caseId,
        visibility,
      });
  }

  const inSent = () => ({ from: email, to: built.first.email, folder: "Sent" });
  const readBy = (...partyIds: string[]): Visibility => ({ scope: "party", partyIds, aboutPartyIds: [] });
  const release = (id: string, readers: Visibility, partyId: string | null) =>
    practice.api.files.release.mutate({
      newId: newId(),
      id,
      readers,
      consent:
        partyId === null ? null : { grantedByPartyId: partyId, at: new Date().toISOString(), how: "In the room" },
    });
  const seenBySecond = async () => {
    const { theCase, p2 } = built;
    const preview = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: p2.partyId });
    return preview.items.map(({ id }) => id);
  };

  test("S72: what a party mailed in, whatever readers are asked for, is in their confidence and goes on by their consent alone", async () => {
    const { p1, p2 } = built;
    const file = await laid("my diary");
    for (const wider of [SHARED, readBy(p2.partyId), forParty(p2.partyId), caucusOf(p2.partyId)])
      expect((await refusal(file(wider))).fields).toHaveProperty("visibility");
    expect((await file(forParty(p1.partyId))).visibility).toEqual(forParty(p1.partyId));
    expect((await file(MEDIATOR_ONLY)).visibility).toEqual({ ...MEDIATOR_ONLY, aboutPartyIds: [p1.partyId] });
    const { id, visibility } = await file(PRACTICE_ONLY);
    expect(visibility).toEqual(caucusOf(p1.partyId));
    for (const readers of [SHARED, readBy(p2.partyId)])
      expect((await refusal(release(id, readers, null))).fields).toHaveProperty("consent");
    expect(await seenBySecond()).toEqual([]);
    const released = await release(id, SHARED, p1.partyId);
    expect(await seenBySecond()).toEqual([released.id]);
    // What all may read by now may come back so.
    expect((await file(SHARED)).visibility).toEqual(SHARED);
  });

  test("S72: what was mailed to one party, when its copy in Sent is filed by a caseworker, keeps its readers and its mark", async () => {
    const { p1, p2 } = built;
    const sup = await aStaffUser(app, practice, { permissions: MAY_FILE });
    await upload(forParty(p1.partyId), "for Priya alone", CONFIDENTIAL);
    const file = await laid("for Priya alone", inSent());
    for (const wider of [SHARED, readBy(p2.partyId), readBy(p1.partyId, p2.partyId)])
      expect((await refusal(file(wider, built.theCase.id, sup))).fields).toHaveProperty("visibility");
    const filed = await file(forParty(p1.partyId), built.theCase.id, sup);
    expect(filed).toMatchObject({ visibility: forParty(p1.partyId), mark: CONFIDENTIAL });
    // Whoever reads no private notes could not open it in the practice's confidence.
    expect((await refusal(file(PRACTICE_ONLY, built.theCase.id, sup))).fields["visibility"]).toContain("include you");
    expect((await refusal(file(PRACTICE_ONLY, null, sup))).code).toBe("PRECONDITION_FAILED");
    const elsewhere = await practice.api.casework.create.mutate(aCaseInput([built.first.id]));
    expect((await refusal(file(PRACTICE_ONLY, elsewhere.id, sup))).code).toBe("PRECONDITION_FAILED");
  });

  test("S72: what is for two of three, when it comes by the mail of one, is let out by no consent of that one alone", async () => {
    const { p1, p2, theCase } = built;
    const other = await aCase(practice);
    const { version } = await practice.api.cases.get.query({ id: theCase.id });
    const party = { clientId: other.first.id, role: "respondent" as const, side: "b" as const };
    await practice.api.casework.addParty.mutate({ changeId: newId(), id: theCase.id, version, party });
    await upload(readBy(p1.partyId, p2.partyId), "for both");
    const file = await laid("for both", inSent());
    for (const wider of [SHARED, forParty(p1.partyId), readBy(p1.partyId)])
      expect((await refusal(file(wider))).fields).toHaveProperty("visibility");
    expect((await file(PRACTICE_ONLY)).visibility.aboutPartyIds).toEqual([p1.partyId, p2.partyId]);
    expect((await file(readBy(p1.partyId, p2.partyId))).visibility).toEqual(readBy(p1.partyId, p2.partyId));
  });

  test("S72: what a letter of ours carried, when it comes back with other bytes, is known by the letter", async () => {
    const { p1, theCase, first } = built;
    const { id } = await upload(forParty(p1.partyId), "one\ntwo\n", CONFIDENTIAL);
    const letter = aLetterTo(first.email, { clientId: first.id, caseId: theCase.id, fileIds: [id] });
    const sent = await practice.api.compose.send.mutate({ id: newId(), ...letter, sendAt: null });
    const mail = await OutboxModel.findOne({ ownerId: practice.ownerId, _id: sent.id }).lean();
    const file = await laid("one\r\ntwo\r\n", { ...inSent(), messageId: mail?.messageId ?? "" });
    expect((await refusal(file(SHARED))).fields).toHaveProperty("visibility");
    expect(await file(forParty(p1.partyId))).toMatchObject({ visibility: forParty(p1.partyId), mark: CONFIDENTIAL });
  });

  test("S72: what was deleted, and what other parties' mail brought, widens nothing and keeps nothing from being filed", async () => {
    const { p1, p2 } = built;
    const kept = await upload({ ...MEDIATOR_ONLY, aboutPartyIds: [p1.partyId] }, "said apart");
    await practice.api.files.remove.mutate({ ids: [kept.id] });
    const file = await laid("said apart");
    expect((await refusal(file(forParty(p1.partyId)))).fields).toHaveProperty("visibility");
    expect((await file(MEDIATOR_ONLY)).visibility).toEqual({ ...MEDIATOR_ONLY, aboutPartyIds: [p1.partyId] });
    await upload(caucusOf(p2.partyId), "the same statement");
    const same = await laid("the same statement");
    expect((await same(PRACTICE_ONLY)).visibility).toEqual(caucusOf(p1.partyId));
  });

  test("S72: a mail that names both parties is theirs together, and where no confidences are kept the readers are chosen", async () => {
    const joint = await laid("for both of us", { cc: built.second.email });
    expect((await joint(SHARED)).visibility).toEqual(SHARED);
    const signed = await aSignedCase(practice, "none");
    built = { ...built, ...signed };
    const file = await laid("open to all");
    expect((await file(PRACTICE_ONLY)).visibility).toEqual(PRACTICE_ONLY);
    // On file for the practice it is shown to others by a release.
    expect((await refusal(file(SHARED))).fields).toHaveProperty("visibility");
    expect((await (await laid("open to all as well"))(SHARED)).visibility).toEqual(SHARED);
  });

  test("S72: what is kept with a client alone, when it is moved, goes to no other client and is in their confidence in a case", async () => {
    const { first, second, p1, p2, theCase } = built;
    const move = (id: string, clientId: string | null, caseId: string | null, { api }: TestPerson = practice) =>
      api.files.move.mutate({ ids: [id], clientId, caseId });
    const { id } = await (await laid("before there was a case"))(PRACTICE_ONLY, null);
    expect((await refusal(move(id, second.id, null))).code).toBe("PRECONDITION_FAILED");
    const apart = await practice.api.casework.create.mutate(aCaseInput([second.id]));
    expect((await refusal(move(id, second.id, apart.id))).code).toBe("PRECONDITION_FAILED");
    const sup = await aStaffUser(app, practice, { permissions: MAY_FILE });
    expect((await refusal(move(id, first.id, theCase.id, sup))).code).toBe("FORBIDDEN");
    await move(id, second.id, theCase.id);
    expect((await practice.api.files.get.query({ id })).visibility).toEqual(caucusOf(p1.partyId));
    expect((await refusal(release(id, readBy(p2.partyId), null))).fields).toHaveProperty("consent");
  });
});
