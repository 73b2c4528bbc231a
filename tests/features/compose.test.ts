import { newId } from "@app/server/core/ids";
import { Readable } from "node:stream";
import { storeFile } from "@app/server/features/files/files.service";
import { ClientModel } from "@app/server/features/clients/clients.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { MailDraftModel } from "@app/server/features/compose/mail-drafts.model";
import { draftsSideBySide } from "@app/server/features/compose/compose.migration";
import { DRAFTS_MAX, type MailDraft } from "@app/shared/mail-check";
import { LETTER_PERMISSIONS } from "@app/shared/access";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, forParty, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { aCase, aCaseInput, aClient, aMeetingInput, aPractice, aStaffUser, scopeOf } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aLetterTo } from "../support/mail/letters.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const built = forEachTest(() => aCase(practice));

const aDraft = (overrides: Partial<MailDraft> = {}): MailDraft =>
  aLetterTo(built.first.email, { clientId: built.first.id, caseId: built.theCase.id, ...overrides });

const send = (draft: MailDraft, sendAt: string | null = null) =>
  practice.api.compose.send.mutate({ id: newId(), ...draft, sendAt });
const check = (draft: MailDraft) => practice.api.compose.check.mutate(draft);
const codesOf = async (draft: MailDraft) => (await check(draft)).problems.map(({ code }) => code);

async function stored(id: string) {
  const doc = await OutboxModel.findOne({ ownerId: practice.ownerId, _id: id }).lean();
  if (!doc) throw new Error("no such mail");
  return { doc, content: contentOf(doc) };
}

async function aFile(visibility: Visibility, place: { clientId: string | null; caseId: string | null } | null = null) {
  const at = place ?? { clientId: null, caseId: built.theCase.id };
  const file = await storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(newId())]), {
    ...at,
    name: "summary.txt",
    visibility,
  });
  return file.id;
}

async function aSolicitor(partyId: string, email: string) {
  const { id } = await practice.api.contacts.create.mutate(aContact({ email }));
  await practice.api.contacts.link.mutate({
    changeId: newId(),
    id,
    caseId: built.theCase.id,
    role: "solicitor",
    partyId,
  });
}

describe("the guard while somebody writes", () => {
  test("sendableFiles: gives those that may go to this party, and no other", async () => {
    const [own, shared, others] = await Promise.all([
      aFile(forParty(built.p1.partyId)),
      aFile(SHARED),
      aFile(forParty(built.p2.partyId)),
    ]);
    const place = { clientId: built.first.id, caseId: built.theCase.id };
    const asked = { ...place, fileIds: [own, shared, others] };
    expect((await practice.api.compose.sendableFiles.query(asked)).fileIds.toSorted()).toEqual(
      [own, shared].toSorted(),
    );
  });

  test("check: a mail to the client alone stands against nothing, and only they see it", async () => {
    const found = await check(aDraft());
    expect(found.problems).toEqual([]);
    expect(found.sees).toEqual([
      { label: "P1", text: "The message" },
      { label: "P2", text: "Nothing" },
    ]);
  });

  test.each(["to", "cc"] as const)(
    "check: the other party under %s is named, and sending is refused",
    async (field) => {
      const other = { name: "A friend", address: built.second.email.toUpperCase() };
      const draft = aDraft({ [field]: [...aDraft()[field], other] });
      const [problem] = (await check(draft)).problems;
      expect(problem).toMatchObject({ code: "other_party", address: built.second.email.toLowerCase() });
      expect(problem?.title).toContain("Owen");
      expect(await refusal(send(draft))).toMatchObject({ code: "FORBIDDEN" });
      expect((await refusal(send(draft))).message).toContain("PARTY_LEAK");
    },
  );

  test("check: the other party is refused where no case is named, and in another case too", async () => {
    const other = [{ name: "", address: built.second.email }];
    expect(await codesOf(aDraft({ caseId: null, to: other }))).toEqual(["other_party"]);
    const stranger = await practice.api.clients.create.mutate(
      aClient({ lastName: "Third", email: "third@example.org" }),
    );
    expect(
      await codesOf(aDraft({ clientId: stranger.id, caseId: null, to: [{ name: "", address: "third@example.org" }] })),
    ).toEqual([]);
  });

  test("check: whoever stands on the other side is refused, whoever stands on this one is not", async () => {
    await aSolicitor(built.p1.partyId, "own@law.example.org");
    await aSolicitor(built.p2.partyId, "other@law.example.org");
    const to = aDraft().to;
    expect(await codesOf(aDraft({ to, cc: [{ name: "", address: "own@law.example.org" }] }))).toEqual([]);
    expect(await codesOf(aDraft({ to, cc: [{ name: "", address: "other@law.example.org" }] }))).toEqual([
      "other_party",
    ]);
  });

  test("check: an address that both parties use is the other's too", async () => {
    const shared = await practice.api.clients.get.query({ id: built.second.id });
    const {
      id,
      version,
      displayName: _name,
      status: _status,
      isContactUnchecked: _unchecked,
      createdAt: _c,
      updatedAt: _u,
      updatedByName: _b,
      ...client
    } = shared;
    await practice.api.clients.update.mutate({ id, version, client: { ...client, email: built.first.email } });
    expect(await codesOf(aDraft())).toEqual(["other_party"]);
  });

  test.each([
    ["their own", () => forParty(built.p1.partyId), []],
    ["shared", () => SHARED, []],
    ["the other's", () => forParty(built.p2.partyId), ["file"]],
    ["the practice's", () => PRACTICE_ONLY, ["file"]],
    ["a caucus", () => caucusOf(built.p1.partyId), ["file"]],
  ])("check: a file that is %s goes exactly where the party may read it", async (_name, visibility, codes) => {
    const draft = aDraft({ fileIds: [await aFile(visibility())] });
    const found = await check(draft);
    expect(found.problems.map(({ code }) => code)).toEqual(codes);
    expect(found.files[0]?.mayGo).toBe(codes.length === 0);
    if (codes.length > 0) expect((await refusal(send(draft))).message).toContain("PARTY_LEAK");
    else expect((await stored((await send(draft)).id)).content.files).toHaveLength(1);
  });

  test("check: a file of another case does not go, even one that is shared there", async () => {
    const other = await aCase(practice);
    const fileId = await aFile(SHARED, { clientId: null, caseId: other.theCase.id });
    expect(await codesOf(aDraft({ fileIds: [fileId] }))).toEqual(["file"]);
    const ofClient = await aFile(SHARED, { clientId: built.second.id, caseId: null });
    expect(await codesOf(aDraft({ fileIds: [ofClient] }))).toEqual(["file"]);
  });

  test("check: what answers a mail to the other party is refused", async () => {
    const { id } = await send(aDraft({ clientId: built.second.id, to: [{ name: "", address: built.second.email }] }));
    const { doc } = await stored(id);
    expect(await codesOf(aDraft({ inReplyTo: doc.messageId }))).toEqual(["other_party"]);
    expect(await codesOf(aDraft({ references: [doc.messageId] }))).toEqual(["other_party"]);
  });

  test("check: a client who may not be emailed is not, at whatever address, but a solicitor on file is", async () => {
    const client = await practice.api.clients.create.mutate(
      aClient({ email: "quiet@example.org", safeContact: { ...DEFAULT_SAFE_CONTACT, mayEmail: false } }),
    );
    const place = { clientId: client.id, caseId: null };
    expect(await codesOf(aDraft({ ...place, to: [{ name: "", address: "quiet@example.org" }] }))).toEqual([
      "not_by_mail",
    ]);
    const toLaw = aDraft({ ...place, to: [{ name: "", address: "law@example.org" }] });
    expect(await codesOf(toLaw)).toEqual(["not_by_mail"]);
    await practice.api.contacts.create.mutate(aContact({ email: "law@example.org" }));
    expect(await codesOf(toLaw)).toEqual([]);
  });

  test("check: for somebody at risk subject and sender are neutral, and so they leave", async () => {
    const client = await practice.api.clients.create.mutate(
      aClient({ email: "shared@example.org", safeContact: { ...DEFAULT_SAFE_CONTACT, codeWord: "heron" } }),
    );
    const draft = aDraft({
      clientId: client.id,
      caseId: null,
      to: [{ name: "", address: "shared@example.org" }],
      subject: "Your mediation",
    });
    expect(await check(draft)).toMatchObject({ isNeutral: true, subject: "A message from Ines Marchbank" });
    const { content } = await stored((await send(draft)).id);
    expect(content).toMatchObject({ subject: "A message from Ines Marchbank", fromName: "Ines Marchbank" });
  });

  test("check: a field without a value is named, and one with a value is in its place", async () => {
    const body = richTextOf("{{client.salutation}}, we meet on {{meeting.date}}");
    expect(await codesOf(aDraft({ body }))).toEqual(["missing_field"]);
    await practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: built.theCase.id,
        partyIds: [built.p1.partyId],
        startsAt: "2031-05-05T09:00:00.000Z",
      }),
    );
    const { content } = await stored((await send(aDraft({ body }))).id);
    expect(content.text).toBe("Dear Priya, we meet on Monday 5 May 2031");
    expect(content.html).toContain("Monday 5 May 2031");
  });

  test("check: a client whose short name was typed with a comma, then the greeting has one", async () => {
    await ClientModel.updateOne({ ownerId: practice.ownerId, _id: built.first.id }, { $set: { knownAs: "Pri," } });
    const { content } = await stored((await send(aDraft({ body: richTextOf("{{client.salutation}},") }))).id);
    expect(content.text).toBe("Dear Pri,");
  });

  test("check: a meeting of the other party gives no value, and its entry does not go", async () => {
    const meeting = await practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: built.theCase.id,
        partyIds: [built.p2.partyId],
        startsAt: "2031-06-05T09:00:00.000Z",
      }),
    );
    expect(await codesOf(aDraft({ meetingId: meeting.id }))).toEqual(["meeting"]);
    expect(await codesOf(aDraft({ body: richTextOf("{{meeting.time}}") }))).toEqual(["missing_field"]);
  });

  test("check: what is not finished is said, piece by piece", async () => {
    expect(await codesOf(aDraft({ to: [], subject: "", body: richTextOf("") }))).toEqual(["nobody", "subject", "text"]);
  });
});

describe("sending", () => {
  test("send: a mail waits ten seconds, in which it can be taken back", async () => {
    const { id, dueAt } = await send(aDraft());
    const seconds = (new Date(dueAt).getTime() - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(5);
    expect(seconds).toBeLessThanOrEqual(10);
    expect(await practice.api.outbox.cancel.mutate({ id })).toMatchObject({ state: "cancelled" });
  });

  test("send: a calendar entry of their own meeting goes with it", async () => {
    const meeting = await practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: built.theCase.id,
        partyIds: [built.p1.partyId, built.p2.partyId],
        startsAt: "2031-07-05T09:00:00.000Z",
      }),
    );
    const { content } = await stored((await send(aDraft({ meetingId: meeting.id }))).id);
    expect(content.attachments[0]?.content).toContain("BEGIN:VEVENT");
    expect(content.attachments[0]?.content).not.toContain(built.second.email);
    expect(content.attachments[0]?.content).not.toContain("Owen");
  });

  test("send: later than now, it waits for its time, and can leave at once instead", async () => {
    const sendAt = new Date(Date.now() + 86_400_000).toISOString();
    const { id } = await send(aDraft(), sendAt);
    const { items } = await practice.api.outbox.list.query({ clientId: built.first.id });
    expect(items[0]).toMatchObject({ id, state: "queued", sendAt });
    expect(await practice.api.outbox.sendNow.mutate({ id })).toMatchObject({ state: "queued", sendAt: null });
    expect(await refusal(practice.api.outbox.sendNow.mutate({ id }))).toMatchObject({ code: "PRECONDITION_FAILED" });
  });

  test("send: a time that is over, or over a year away, is refused", async () => {
    expect((await refusal(send(aDraft(), "2020-01-01T00:00:00.000Z"))).fields).toHaveProperty("sendAt");
    expect((await refusal(send(aDraft(), "2090-01-01T00:00:00.000Z"))).fields).toHaveProperty("sendAt");
  });

  test("send: taken back, neither the history nor what the party sees claims that there was a message", async () => {
    const { id } = await send(aDraft({ subject: "Taken back" }));
    await practice.api.outbox.cancel.mutate({ id });
    const { items } = await practice.api.timeline.list.query({ clientId: built.first.id, kind: "mail" });
    expect(items).toEqual([]);
    const place = { caseId: built.theCase.id, partyId: built.p1.partyId };
    expect(JSON.stringify(await practice.api.partyView.preview.query(place))).not.toContain("Taken back");
  });

  test("send: stopped by somebody else, its writer is told, and the history says so", async () => {
    const writer = await aStaffUser(app, practice, { permissions: [...LETTER_PERMISSIONS, "clients.write"] });
    const userId = (await writer.api.auth.status.query()).user?.userId ?? "";
    const { first, theCase } = await aCase(practice, { staffIds: [userId] });
    const draft = aLetterTo(first.email, { clientId: first.id, caseId: theCase.id });
    const { id } = await writer.api.compose.send.mutate({ id: newId(), ...draft, sendAt: null });
    await practice.api.outbox.cancel.mutate({ id });
    const { items } = await practice.api.timeline.list.query({ clientId: first.id, kind: "mail" });
    expect(items.map(({ text }) => text)).toEqual([expect.stringMatching(/^Message to .* stopped before it left$/)]);
    const tasks = await writer.api.tasks.list.query({ caseId: theCase.id });
    expect(tasks.items.map(({ title }) => title)).toEqual([expect.stringMatching(/ stopped a message before it left/)]);
  });

  test("send: several on one side get one mail, with copies", async () => {
    const cc = [{ name: "", address: "aunt@example.org" }];
    const { content } = await stored(
      (await send(aDraft({ to: [...aDraft().to, { name: "", address: "second@example.org" }], cc }))).id,
    );
    expect(content).toMatchObject({ alsoTo: ["second@example.org"], cc: ["aunt@example.org"] });
  });
});

describe("drafts", () => {
  /** A window that writes, as the page does. */
  function aWindow(seen: { id: string; version: number } = { id: newId(), version: 0 }) {
    const kept = { ...seen, windowId: newId() };
    return {
      kept,
      save: async (draft: MailDraft) => {
        const { version } = await practice.api.compose.saveDraft.mutate({ ...draft, kept });
        kept.version = version;
      },
      send: (draft: MailDraft) =>
        practice.api.compose.send.mutate({ id: newId(), ...draft, kept: { ...kept }, sendAt: null }),
      discard: ({ clientId, caseId }: MailDraft) =>
        practice.api.compose.discardDraft.mutate({ clientId, caseId, kept }),
    };
  }
  const here = () => ({ clientId: built.first.id, caseId: built.theCase.id });
  const begun = async (place: { clientId: string; caseId: string | null } = here()) =>
    (await practice.api.compose.start.query(place)).draft;
  /** A window that goes on with the draft that is shown when it opens. */
  async function openedWindow() {
    const draft = await begun();
    if (!draft) throw new Error("no draft");
    return aWindow({ id: draft.id, version: draft.version });
  }

  test("draft: what was begun is there again for its writer, and for nobody else", async () => {
    const body = richTextOf("Begun, canary");
    const window = aWindow();
    await window.save(aDraft({ body }));
    await window.save(aDraft({ body, subject: "Changed" }));
    expect((await begun())?.content).toMatchObject({ subject: "Changed", body });
    const colleague = await aStaffUser(app, practice, { permissions: ["mail.send", "clients.read"] });
    expect((await colleague.api.compose.start.query(here())).draft).toBeNull();
    const [doc] = await MailDraftModel.find({ ownerId: practice.ownerId, clientId: built.first.id }).lean();
    expect(doc?.contentEnc).not.toContain("canary");
  });

  test("draft: it is gone when it was sent, and when it was discarded", async () => {
    const sending = aWindow();
    await sending.save(aDraft());
    await sending.send(aDraft());
    expect(await begun()).toBeNull();
    const discarding = aWindow();
    await discarding.save(aDraft());
    await discarding.discard(aDraft());
    expect(await begun()).toBeNull();
  });

  test("draft: one in a case, one in another and one in none are kept side by side, and end by themselves", async () => {
    const other = await practice.api.casework.create.mutate(aCaseInput([built.first.id, built.second.id]));
    const places = [built.theCase.id, other.id, null].map((caseId) => ({ clientId: built.first.id, caseId }));
    const subjects = () => Promise.all(places.map(async (place) => (await begun(place))?.content.subject));
    const windows = places.map((place, index) => ({
      ...aWindow(),
      draft: aDraft({ ...place, subject: `Letter ${index}` }),
    }));
    for (const { save, draft } of windows) await save(draft);
    expect(await subjects()).toEqual(["Letter 0", "Letter 1", "Letter 2"]);
    await windows[0]?.send(windows[0].draft);
    expect(await subjects()).toEqual([undefined, "Letter 1", "Letter 2"]);
    await windows[2]?.discard(windows[2].draft);
    expect(await subjects()).toEqual([undefined, "Letter 1", undefined]);
  });

  test("draft: two windows each begin one for the same client, then both are kept, and sending one leaves the other", async () => {
    const [one, other] = [aWindow(), aWindow()];
    await Promise.all([one.save(aDraft({ subject: "One" })), other.save(aDraft({ subject: "Other" }))]);
    await one.send(aDraft({ subject: "One" }));
    expect((await begun())?.content.subject).toBe("Other");
    await other.send(aDraft({ subject: "Other" }));
    expect(await begun()).toBeNull();
  });

  test("draft: a second window saves an older version of the same one, then it is told and what the first saved stays", async () => {
    await aWindow().save(aDraft({ subject: "Begun" }));
    const [first, second] = [await openedWindow(), await openedWindow()];
    await first.save(aDraft({ subject: "First" }));
    expect(await refusal(second.save(aDraft({ subject: "Second" })))).toMatchObject({
      code: "CONFLICT",
      isStale: true,
    });
    expect((await begun())?.content.subject).toBe("First");
    expect(await refusal(second.discard(aDraft()))).toMatchObject({ code: "CONFLICT", isStale: true });
    expect(await refusal(second.send(aDraft({ subject: "Second" })))).toMatchObject({
      code: "CONFLICT",
      isStale: true,
    });
    expect((await begun())?.content.subject).toBe("First");
    // The answer to its last save got lost.
    first.kept.version -= 1;
    await first.save(aDraft({ subject: "First, on" }));
    expect((await begun())?.content.subject).toBe("First, on");
  });

  test.each(["one after the other", "at once"])(
    "draft: two windows send the same one, %s, then it leaves once, and the other is told",
    async (how) => {
      await aWindow().save(aDraft());
      const letters = () => OutboxModel.countDocuments({ ownerId: practice.ownerId, purpose: "letter" });
      const before = await letters();
      const windows = [await openedWindow(), await openedWindow(), await openedWindow()];
      const codes: string[] = [];
      const send = async (window: (typeof windows)[number]) => codes.push((await refusal(window.send(aDraft()))).code);
      if (how === "at once") await Promise.all(windows.map(send));
      else for (const window of windows) await send(window);
      expect(codes.toSorted()).toEqual(["", "CONFLICT", "CONFLICT"]);
      expect(await letters()).toBe(before + 1);
      for (const window of windows)
        expect(await refusal(window.save(aDraft({ subject: "On" })))).toMatchObject({
          code: "CONFLICT",
          isStale: true,
        });
      expect(await begun()).toBeNull();
      const again = aWindow();
      await again.save(aDraft({ subject: "On" }));
      await again.send(aDraft({ subject: "On" }));
    },
  );

  test("draft: another window has gone on with it, then whoever never learnt that it is kept does not send it", async () => {
    const first = aWindow();
    await first.save(aDraft());
    const second = await openedWindow();
    await second.save(aDraft({ subject: "On" }));
    // The answer to its only save got lost.
    first.kept.version = 0;
    expect(await refusal(first.send(aDraft()))).toMatchObject({ code: "CONFLICT", isStale: true });
    await second.send(aDraft({ subject: "On" }));
  });

  test("draft: one under the id of another person's is refused, and that one stays", async () => {
    const window = aWindow();
    await window.save(aDraft({ subject: "Mine" }));
    const colleague = await aStaffUser(app, practice, { permissions: ["mail.send", "clients.read"] });
    const theirs = { ...aDraft({ subject: "Theirs" }), kept: { ...window.kept } };
    expect(await refusal(colleague.api.compose.saveDraft.mutate(theirs))).toMatchObject({ code: "CONFLICT" });
    await colleague.api.compose.discardDraft.mutate({ ...here(), kept: window.kept });
    expect((await begun())?.content.subject).toBe("Mine");
  });

  test("draft: a twenty-first for one client is refused, and those that are there can be written on", async () => {
    const windows = Array.from({ length: DRAFTS_MAX }, () => aWindow());
    for (const { save } of windows) await save(aDraft());
    expect((await refusal(aWindow().save(aDraft()))).message).toContain("Send or discard some of them");
    await windows[0]?.save(aDraft({ subject: "On" }));
    expect((await begun())?.content.subject).toBe("On");
  });

  test.each(["in a case", "in none"])(
    "draft: one %s from when each client had one, when the database is brought up to date, is found there beside others",
    async (where) => {
      const caseId = where === "in none" ? null : built.theCase.id;
      const place = { clientId: built.first.id, caseId };
      const elsewhere = { ...place, caseId: caseId ? null : built.theCase.id };
      await aWindow().save(aDraft({ ...place, subject: "Old" }));
      const mine = { ownerId: practice.ownerId, createdBy: practice.ownerId, clientId: built.first.id };
      await MailDraftModel.collection.updateOne(mine, { $unset: { caseId: "", version: "", windowId: "" } });
      await MailDraftModel.collection.deleteMany({ clientId: { $ne: built.first.id } });
      await MailDraftModel.collection.createIndex({ ownerId: 1, createdBy: 1, clientId: 1 }, { unique: true });
      await MailDraftModel.collection.createIndex(
        { ownerId: 1, createdBy: 1, clientId: 1, caseId: 1 },
        { unique: true },
      );
      await draftsSideBySide();
      expect(await begun(elsewhere)).toBeNull();
      const old = await begun(place);
      expect(old?.content.subject).toBe("Old");
      await aWindow().save(aDraft({ ...elsewhere, subject: "New" }));
      await aWindow({ id: old?.id ?? "", version: old?.version ?? 0 }).save(aDraft({ ...place, subject: "Old, on" }));
      await aWindow().save(aDraft({ ...elsewhere, subject: "Newer" }));
      expect((await begun(place))?.content.subject).toBe("Old, on");
      expect((await begun(elsewhere))?.content.subject).toBe("Newer");
    },
  );
});

test("start: what can be chosen is this side's, and the other party is marked", async () => {
  await aSolicitor(built.p1.partyId, "own@law.example.org");
  const { choices, from, caseRef } = await practice.api.compose.start.query({
    clientId: built.first.id,
    caseId: built.theCase.id,
  });
  expect(choices.map(({ address, isOtherParty }) => [address, isOtherParty])).toEqual([
    [built.first.email, false],
    [built.second.email, true],
    ["own@law.example.org", false],
  ]);
  expect(from).not.toBe("");
  expect(caseRef).toBe(built.theCase.caseRef);
});

test("start: who sees only their own cases gets no other's", async () => {
  const person = await aStaffUser(app, practice, { permissions: ["mail.send", "clients.read", "assigned_only"] });
  expect(await refusal(person.api.compose.start.query({ clientId: built.first.id, caseId: null }))).toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await refusal(person.api.compose.send.mutate({ id: newId(), ...aDraft(), sendAt: null }))).toMatchObject({
    code: "NOT_FOUND",
  });
});
