// A call that comes again is answered as a look would be now, whatever was allowed the first time.
import { newId } from "@app/server/core/ids";
import { PERMISSIONS, type Permission } from "@app/shared/access";
import { richTextOf } from "@app/shared/rich-text";
import { caucusOf, MEDIATOR_ONLY, PRACTICE_ONLY, SHARED } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { upload as uploadImport } from "../support/hostile/import-uploads.ts";
import { aCase, aPractice, aStaffUser, type TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const built = forEachTest(() => aCase(practice));

const codeOf = async (again: Promise<unknown>) => (await refusal(again)).code;
const body = richTextOf("Kept words");
const aNote = () => ({
  id: newId(),
  caseId: built.theCase.id,
  clientId: null,
  kind: "file_note" as const,
  visibility: PRACTICE_ONLY,
  body,
});

async function upload(person: TestPerson, input: object, content = "What was said") {
  const response = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
    method: "POST",
    headers: { origin: app.url, cookie: person.cookies(), "content-type": "application/octet-stream" },
    body: content,
  });
  return { status: response.status, text: await response.text() };
}
const aFile = () => ({
  id: newId(),
  clientId: null,
  caseId: built.theCase.id,
  name: "words.txt",
  visibility: PRACTICE_ONLY,
});

describe("notes", () => {
  test("S80: notes.create, again after the note was narrowed, gives it to nobody who may not read it", async () => {
    const caseworker = await aStaffUser(app, practice, { role: 3 });
    const note = aNote();
    const { id } = await caseworker.api.notes.create.mutate(note);
    await practice.api.notes.update.mutate({ id, version: 0, saveId: "narrow", visibility: MEDIATOR_ONLY });
    const refused = await refusal(caseworker.api.notes.create.mutate(note));
    expect(refused.code).toBe("NOT_FOUND");
    expect(JSON.stringify(refused)).not.toContain("Kept words");
  });

  test("S80: notes.create, again after it was changed, gives what is there now", async () => {
    const note = aNote();
    const { id } = await practice.api.notes.create.mutate(note);
    await practice.api.notes.update.mutate({ id, version: 0, saveId: "more", body: richTextOf("Newer words") });
    const again = await practice.api.notes.create.mutate(note);
    expect(again).toEqual(await practice.api.notes.get.query({ id }));
    expect(again.version).toBe(1);
  });

  test("S80: notes.create, again after it was deleted, says that it is gone, and again after that, that it is back", async () => {
    const note = aNote();
    const { id } = await practice.api.notes.create.mutate(note);
    await practice.api.notes.remove.mutate({ id });
    expect(await codeOf(practice.api.notes.create.mutate(note))).toBe("NOT_FOUND");
    await practice.api.notes.restore.mutate({ id });
    expect((await practice.api.notes.create.mutate(note)).id).toBe(id);
  });

  test("S80: notes.release and sessions.addNote, again after what they made was deleted or narrowed, are looks", async () => {
    const caseworker = await aStaffUser(app, practice, { role: 3 });
    const source = await practice.api.notes.create.mutate({
      ...aNote(),
      kind: "caucus",
      visibility: caucusOf(built.p1.partyId),
    });
    const consent = { grantedByPartyId: built.p1.partyId, at: new Date().toISOString(), how: "In the room" };
    const release = { id: source.id, newId: newId(), body, consent };
    const released = await practice.api.notes.release.mutate(release);
    await practice.api.notes.remove.mutate({ id: released.id });
    expect(await codeOf(practice.api.notes.release.mutate(release))).toBe("NOT_FOUND");
    const session = await practice.api.sessions.create.mutate({
      id: newId(),
      caseId: built.theCase.id,
      meetingId: null,
    });
    const noted = {
      sessionId: session.id,
      note: { id: newId(), kind: "file_note" as const, visibility: PRACTICE_ONLY, body },
    };
    const { id } = await caseworker.api.sessions.addNote.mutate(noted);
    await practice.api.notes.update.mutate({ id, version: 0, saveId: "narrow", visibility: MEDIATOR_ONLY });
    expect(await codeOf(caseworker.api.sessions.addNote.mutate(noted))).toBe("NOT_FOUND");
  });
});

describe("somebody who was taken off the case", () => {
  const permissions: Permission[] = [...PERMISSIONS];
  const onlyTheirs = async (isOn: boolean, person?: { userId: string }) => {
    const { theCase } = built;
    const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
    const { domain, issueScope, matter, format, children, referral, flags, startedOn, nextReviewOn } = theCase;
    const staffIds: string[] = [];
    const mediators = isOn && person ? [{ userId: person.userId, isLead: true }] : [];
    const fields = { domain, issueScope, matter, format, children, referral, flags, startedOn, nextReviewOn, staffIds };
    await practice.api.casework.update.mutate({ ...fields, id, version, mediators });
  };

  test("S80: whatever they sent again, when they are off the case, looks missing as the case does", async () => {
    const person = await aStaffUser(app, practice, { role: 2, permissions });
    const { user } = await person.api.auth.status.query();
    await onlyTheirs(true, { userId: user?.userId ?? "" });
    const caseId = built.theCase.id;
    const { api } = person;
    const note = aNote();
    const file = aFile();
    const wish = { id: newId(), caseId, meetingId: null };
    await api.notes.create.mutate(note);
    expect((await upload(person, file)).status).toBe(201);
    const { id: sessionId } = await api.sessions.create.mutate(wish);
    const topic = { id: "topic", topic: "Home", privilege: "none" as const, minutes: 20, isDone: false };
    const change = { id: sessionId, changeId: newId(), topic };
    await api.sessions.saveTopic.mutate(change);
    const { version } = await api.cases.get.query({ id: caseId });
    const attempt = { channel: "post" as const, on: "2026-01-05", wording: "A letter" };
    const invitation = { changeId: newId(), id: caseId, version, partyId: built.p1.partyId, ...attempt };
    await api.casework.inviteParty.mutate(invitation);
    const decision = { id: newId(), caseId, decision: "clear" as const, reason: "" };
    await api.conflicts.decide.mutate(decision);
    await onlyTheirs(false);
    const again = [
      api.notes.create.mutate(note),
      api.sessions.create.mutate(wish),
      api.sessions.saveTopic.mutate(change),
      api.casework.inviteParty.mutate(invitation),
      api.conflicts.decide.mutate(decision),
    ];
    const codes = await Promise.all(again.map(codeOf));
    expect(codes).toEqual(codes.map(() => "NOT_FOUND"));
    expect((await upload(person, file)).status).toBe(404);
  });
});

describe("files and imports", () => {
  test("S76: POST /files, sent eight times at once, is one file with one line of history", async () => {
    const file = aFile();
    // More of one person than a browser has under way wait for no worker.
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(practice, file)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    const list = await practice.api.files.list.query({ clientId: built.first.id });
    expect(list.total).toBe(1);
    const { items } = await practice.api.timeline.list.query({ caseId: built.theCase.id, kind: "file" });
    expect(items).toHaveLength(1);
  });

  test("S76: POST /files, under an id of another content, place or person, is refused", async () => {
    const colleague = await aStaffUser(app, practice, { role: 2 });
    const file = aFile();
    await upload(practice, file);
    const answers = [
      await upload(practice, file, "Other words"),
      await upload(practice, { ...file, name: "other.txt" }),
      await upload(colleague, file),
    ];
    expect(answers.map(({ status }) => status)).toEqual([409, 409, 409]);
    expect((await practice.api.files.list.query({ clientId: built.first.id })).total).toBe(1);
  });

  test("S80: POST /files, again after it was narrowed or deleted, looks missing", async () => {
    const caseworker = await aStaffUser(app, practice, { role: 3 });
    const [narrowed, deleted] = [aFile(), { ...aFile(), visibility: SHARED }];
    for (const file of [narrowed, deleted]) expect((await upload(caseworker, file)).status).toBe(201);
    const { items } = await practice.api.files.list.query({ clientId: built.first.id });
    const [kept, gone] = [PRACTICE_ONLY, SHARED].map(({ scope }) =>
      items.find((one) => one.visibility.scope === scope),
    );
    if (!kept || !gone) throw new Error("the files are missing");
    const { id, name, tags, version } = kept;
    await practice.api.files.update.mutate({ id, name, tags, version, visibility: MEDIATOR_ONLY });
    await practice.api.files.remove.mutate({ ids: [gone.id] });
    expect((await upload(caseworker, narrowed)).status).toBe(404);
    expect((await upload(caseworker, deleted)).status).toBe(404);
  });

  test("S76: POST /imports, sent five times at once, is one import; another file under its id is refused", async () => {
    const id = newId();
    const list = "Surname,First name\nEllery,Maya\n";
    const send = (content: string) => uploadImport(app, practice, content, { id });
    const answers = await Promise.all(Array.from({ length: 5 }, () => send(list)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body: text }) => /"id":"([\w-]+)"/.exec(text)?.[1])).size).toBe(1);
    expect((await practice.api.imports.list.query({})).total).toBe(1);
    expect((await send("Surname,First name\nCastell,Owen\n")).status).toBe(409);
    expect((await practice.api.imports.list.query({})).total).toBe(1);
  });

  test("S80: POST /imports, again after it was discarded, says that it is gone", async () => {
    const id = newId();
    const send = () => uploadImport(app, practice, "Surname,First name\nEllery,Maya\n", { id });
    const importId = /"id":"([\w-]+)"/.exec((await send()).body)?.[1] ?? "";
    await practice.api.imports.discard.mutate({ id: importId });
    expect((await send()).status).toBe(404);
    expect((await practice.api.imports.list.query({})).total).toBe(0);
  });
});

describe("other things", () => {
  test("S80: a permission that was withdrawn, when the call comes again, is missed", async () => {
    const person = await aStaffUser(app, practice, { role: 2 });
    const { items } = await practice.api.staff.list.query();
    const staff = items.find(({ email }) => email === person.email);
    if (!staff) throw new Error("the person is missing");
    const note = aNote();
    await person.api.notes.create.mutate(note);
    const rest = { id: staff.id, role: 2 as const, version: staff.version };
    await practice.api.staff.update.mutate({ ...rest, permissions: ["clients.read"] });
    expect(await codeOf(person.api.notes.create.mutate(note))).toBe("FORBIDDEN");
  });

  test("S80: staff.invite, again while it is open, gives the same link; once it was used or removed, none", async () => {
    const fields = { firstName: "Tom", lastName: "Birch", role: 3 as const };
    const [used, removed] = ["used", "removed"].map((name) => ({
      id: newId(),
      email: `${name}.${newId().toLowerCase()}@example.org`,
      ...fields,
    }));
    if (!used || !removed) throw new Error("there are two");
    const { link } = await practice.api.staff.invite.mutate(used);
    expect((await practice.api.staff.invite.mutate(used)).link).toBe(link);
    const token = new URL(link ?? "").searchParams.get("token") ?? "";
    await aStaffWith(token);
    expect(await codeOf(practice.api.staff.invite.mutate(used))).toBe("PRECONDITION_FAILED");
    await practice.api.staff.invite.mutate(removed);
    const { items } = await practice.api.staff.list.query();
    await practice.api.staff.removeInvitation.mutate({
      id: items.find(({ email }) => email === removed.email)?.id ?? "",
    });
    expect(await codeOf(practice.api.staff.invite.mutate(removed))).toBe("NOT_FOUND");
  });

  test("S80: templates and addresses, again after they were taken away, look missing", async () => {
    const template = { id: newId(), name: "Reminder", subject: "Your papers", body };
    const { id } = await practice.api.mailTemplates.create.mutate(template);
    await practice.api.mailTemplates.remove.mutate({ id });
    expect(await codeOf(practice.api.mailTemplates.create.mutate(template))).toBe("NOT_FOUND");
    const stopped = { id: newId(), address: "no@example.org" };
    const made = await practice.api.suppressions.add.mutate(stopped);
    await practice.api.suppressions.remove.mutate({ id: made.id });
    expect(await codeOf(practice.api.suppressions.add.mutate(stopped))).toBe("NOT_FOUND");
  });

  test("S76: a proposal that is released under one id by two changes is shared once", async () => {
    const { api } = practice;
    const { p1, theCase } = built;
    const { id } = await api.sessions.create.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
    await api.sessions.addProposal.mutate({
      id,
      changeId: newId(),
      proposalId: "offer",
      issue: "Home",
      text: "Sell in spring",
      byPartyId: p1.partyId,
      visibility: caucusOf(p1.partyId),
      countersId: null,
      release: null,
    });
    const consent = { grantedByPartyId: p1.partyId, at: new Date().toISOString(), how: "In the room" };
    const release = () =>
      api.sessions.releaseProposal.mutate({
        id,
        changeId: newId(),
        proposalId: "offer",
        newProposalId: "copy",
        consent,
      });
    await release();
    expect(await codeOf(release())).toBe("CONFLICT");
    const { proposals } = await api.sessions.get.query({ id });
    expect(proposals.filter((one) => one.id === "copy")).toHaveLength(1);
  });
});

/** Somebody uses the link of an invitation. */
async function aStaffWith(token: string): Promise<void> {
  await practice.api.auth.acceptInvitation.mutate({
    token,
    firstName: "Tom",
    lastName: "Birch",
    password: "velvet compass orchard tin",
  });
  await practice.api.auth.signIn.mutate({ email: practice.email, password: "quiet harbour lantern moss" });
}
