import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { createLogger } from "@app/server/core/logger";
import { migrate } from "@app/server/core/migrate";
import { MIGRATIONS } from "@app/server/migrations";
import { PERMISSIONS } from "@app/shared/access";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import {
  aCase,
  aCaseInput,
  aClient,
  aPractice,
  aStaffUser,
  scopeOf,
  setPermissions,
  type TestPerson,
  ledBy,
} from "../support/server/people.ts";
import { aContact } from "../support/access/contacts-access.ts";
import { changeTeam } from "../support/visibility/case-team.ts";
import { refusal } from "../support/access/refusal.ts";
import { aCertificate, authorise } from "../support/server/assessments.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const READS_AND_WRITES = ["clients.read", "clients.write", "notes.private.read"] as const;

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const idOf = async ({ api }: TestPerson): Promise<string> => (await api.auth.status.query()).user?.userId ?? "";

const NOT_THEIRS = { code: "FORBIDDEN" };

test.each([2, 3, 4] as const)(
  "S71: role %s with clients.write, when they name themselves or others on a case, are refused",
  async (role) => {
    const person = await aStaffUser(app, practice, { role, permissions: [...READS_AND_WRITES] });
    const userId = await idOf(person);
    const { theCase, first } = await aCase(practice);
    const asMediator = await refusal(changeTeam(practice, person, theCase, { mediators: [userId] }));
    expect(asMediator).toMatchObject(role === 2 ? NOT_THEIRS : { code: "BAD_REQUEST" });
    expect(await refusal(changeTeam(practice, person, theCase, { staffIds: [userId] }))).toMatchObject(NOT_THEIRS);
    expect(await refusal(changeTeam(practice, person, theCase, { mediators: [practice.ownerId] }))).toMatchObject(
      NOT_THEIRS,
    );
    const opened = person.api.casework.create.mutate(
      aCaseInput([first.id], { mediators: [{ userId: practice.ownerId, isLead: true }] }),
    );
    expect(await refusal(opened)).toMatchObject(NOT_THEIRS);
    expect((await practice.api.cases.get.query({ id: theCase.id })).mediators).toEqual([]);
  },
);

test("S71: a present mediator names another; once the role does not mediate, their naming is worth nothing", async () => {
  const mediator = await aStaffUser(app, practice, { role: 2 });
  const other = await aStaffUser(app, practice, { role: 2 });
  const [userId, otherId] = [await idOf(mediator), await idOf(other)];
  const { theCase } = await aCase(practice, { mediators: [{ userId, isLead: true }] });
  expect((await changeTeam(practice, mediator, theCase, { mediators: [userId, otherId] })).mediators).toHaveLength(2);
  await setPermissions(practice, mediator, [...READS_AND_WRITES], 3);
  expect(await refusal(changeTeam(practice, mediator, theCase, { mediators: [userId] }))).toMatchObject(NOT_THEIRS);
  const visibility = { scope: "mediator" as const, partyIds: [], aboutPartyIds: [] };
  const note = { id: "only-mediators", caseId: theCase.id, clientId: null, kind: "private" as const, visibility };
  await other.api.notes.create.mutate({ ...note, body: { type: "doc", content: [] } });
  expect(await refusal(mediator.api.notes.get.query({ id: note.id }))).toMatchObject({ code: "NOT_FOUND" });
});

test("S71: somebody of another practice, or who was suspended, cannot be put on a case", async () => {
  const stranger = await aPractice(app);
  const gone = await aStaffUser(app, practice, { role: 2 });
  const goneId = await idOf(gone);
  const { theCase } = await aCase(practice);
  await practice.api.staff.suspend.mutate({ id: goneId });
  for (const id of [stranger.ownerId, goneId]) {
    expect(await refusal(changeTeam(practice, practice, theCase, { mediators: [id] }))).toMatchObject({
      code: "BAD_REQUEST",
    });
    expect(await refusal(changeTeam(practice, practice, theCase, { staffIds: [id] }))).toMatchObject({
      code: "BAD_REQUEST",
    });
  }
});

test("S71: whoever opened a case works on it until they are taken off, and a shared client stays by the other case", async () => {
  const person = await aStaffUser(app, practice, { permissions: [...READS_AND_WRITES, "assigned_only"] });
  const own = await person.api.clients.create.mutate(aClient({ firstName: "Own" }));
  const opened = await person.api.casework.create.mutate(aCaseInput([own.id]));
  const second = await person.api.casework.create.mutate(aCaseInput([own.id]));
  expect(opened.staffIds).toEqual([await idOf(person)]);
  await changeTeam(practice, practice, opened, { staffIds: [] });
  expect(await refusal(person.api.cases.get.query({ id: opened.id }))).toMatchObject({ code: "NOT_FOUND" });
  expect((await person.api.clients.get.query({ id: own.id })).firstName).toBe("Own");
  await changeTeam(practice, practice, second, { staffIds: [] });
  expect(await refusal(person.api.clients.get.query({ id: own.id }))).toMatchObject({ code: "NOT_FOUND" });
});

test("S71: a case of one's own, or a party in it, keeps no client whose other cases somebody else decides on", async () => {
  const person = await aStaffUser(app, practice, { permissions: [...READS_AND_WRITES, "assigned_only"] });
  const staffIds = [await idOf(person)];
  const { theCase, first, second } = await aCase(practice, { staffIds });
  const own = await person.api.clients.create.mutate(aClient({ firstName: "Own" }));
  expect(await refusal(person.api.casework.create.mutate(aCaseInput([first.id])))).toMatchObject(NOT_THEIRS);
  expect(await refusal(person.api.casework.create.mutate(aCaseInput([own.id, second.id])))).toMatchObject(NOT_THEIRS);
  const opened = await person.api.casework.create.mutate(aCaseInput([own.id]));
  const party = { clientId: first.id, role: "respondent" as const, side: "b" as const };
  const adding = person.api.casework.addParty.mutate({
    changeId: newId(),
    id: opened.id,
    version: opened.version,
    party,
  });
  expect(await refusal(adding)).toMatchObject(NOT_THEIRS);
  await changeTeam(practice, practice, theCase, { staffIds: [] });
  for (const { id } of [first, second])
    expect(await refusal(person.api.clients.get.query({ id }))).toMatchObject({ code: "NOT_FOUND" });
  expect((await person.api.clients.get.query({ id: own.id })).firstName).toBe("Own");
});

test("S71: a file or a contact of a case, when somebody decides nothing there, goes into no case of their own", async () => {
  const permissions = [...READS_AND_WRITES, "documents.manage", "assigned_only"] as const;
  const person = await aStaffUser(app, practice, { permissions: [...permissions] });
  const { theCase } = await aCase(practice, { staffIds: [await idOf(person)] });
  const own = await person.api.clients.create.mutate(aClient());
  const opened = await person.api.casework.create.mutate(aCaseInput([own.id]));
  const file = await storeFile(scopeOf(practice.ownerId), Readable.from(["words"]), {
    name: "notes.txt",
    clientId: null,
    caseId: theCase.id,
    visibility: PRACTICE_ONLY,
  });
  const move = { ids: [file.id], clientId: null, caseId: opened.id };
  expect(await refusal(person.api.files.move.mutate(move))).toMatchObject(NOT_THEIRS);
  const contact = await practice.api.contacts.create.mutate(aContact());
  const link = { id: contact.id, role: "solicitor" as const, partyId: null };
  await practice.api.contacts.link.mutate({ ...link, caseId: theCase.id, changeId: newId() });
  const linking = person.api.contacts.link.mutate({ ...link, caseId: opened.id, changeId: newId() });
  expect(await refusal(linking)).toMatchObject(NOT_THEIRS);
});

test("S71: two cases of one client, when somebody is taken off both at once, leave them no client", async () => {
  const person = await aStaffUser(app, practice, { permissions: [...READS_AND_WRITES, "assigned_only"] });
  const staffIds = [await idOf(person)];
  const { theCase, first } = await aCase(practice, { staffIds });
  const other = await practice.api.casework.create.mutate(aCaseInput([first.id], { staffIds }));
  await Promise.all([
    changeTeam(practice, practice, theCase, { staffIds: [] }),
    changeTeam(practice, practice, other, { staffIds: [] }),
  ]);
  expect(await refusal(person.api.clients.get.query({ id: first.id }))).toMatchObject({ code: "NOT_FOUND" });
});

test("S71: what an older version stored is derived anew, and who was taken off loses the client", async () => {
  const person = await aStaffUser(app, practice, { permissions: [...READS_AND_WRITES, "assigned_only"] });
  const userId = await idOf(person);
  const { theCase, first } = await aCase(practice);
  const stored = (name: string) => mongoose.connection.collection<{ _id: string }>(name);
  await stored("clients").updateOne({ _id: first.id }, { $set: { assignedUserIds: [practice.ownerId, userId] } });
  await stored("cases").updateOne({ _id: theCase.id }, { $unset: { staffIds: "" } });
  expect((await person.api.clients.get.query({ id: first.id })).id).toBe(first.id);
  await stored("migrations").deleteMany({});
  await migrate(MIGRATIONS, createLogger("silent"));
  expect(await refusal(person.api.clients.get.query({ id: first.id }))).toMatchObject({ code: "NOT_FOUND" });
  expect((await practice.api.cases.get.query({ id: theCase.id })).staffIds).toEqual([]);
});

test("S71: a mail check for a client of two cases, when the caller sees one, refuses without a name of the other", async () => {
  const permissions = PERMISSIONS.filter((permission) => permission !== "data.export");
  const person = await aStaffUser(app, practice, { permissions });
  const { theCase, first } = await aCase(practice, { staffIds: [await idOf(person)] });
  const hidden = await practice.api.clients.create.mutate(
    aClient({ firstName: "Hidden", lastName: "Otherwise", email: "hidden.otherwise@example.org" }),
  );
  await practice.api.casework.create.mutate(aCaseInput([first.id, hidden.id], { caseRef: "SECRET-1" }));
  const draft = {
    clientId: first.id,
    caseId: theCase.id,
    subject: "Hello",
    fileIds: [],
    meetingId: null,
    to: [{ name: "", address: hidden.email }],
    cc: [],
    inReplyTo: "",
    references: [],
    body: { type: "doc" as const, content: [] },
  };
  const check = await person.api.compose.check.mutate(draft);
  expect(check.problems.map(({ code }) => code)).toContain("other_party");
  expect(JSON.stringify(check)).not.toMatch(/Otherwise\b|SECRET-1|other participant/);
  // Nor by anything in which it differs from what is said of somebody who has nothing to do with this client.
  const nobody = await practice.api.clients.create.mutate(aClient({ email: "nobody.of.theirs@example.org" }));
  for (const name of ["", "Typed by hand"]) {
    const saidOf = async (address: string) =>
      (await person.api.compose.check.mutate({ ...draft, to: [{ name, address }] })).recipients.map(
        ({ address: _address, ...said }) => said,
      );
    expect(await saidOf(hidden.email)).toEqual(await saidOf(nobody.email));
  }
  const start = await person.api.compose.start.query({ clientId: first.id, caseId: theCase.id });
  expect(JSON.stringify(start)).not.toMatch(/Otherwise|SECRET-1/);
});

test("S71: the mails of a case, when only the client is the caller's, are neither listed nor moved", async () => {
  const person = await aStaffUser(app, practice, { permissions: [...PERMISSIONS] });
  const { first } = await aCase(practice, { staffIds: [await idOf(person)] });
  const hidden = await practice.api.casework.create.mutate(aCaseInput([first.id]));
  const { id } = await practice.api.compose.send.mutate({
    id: newId(),
    clientId: first.id,
    caseId: hidden.id,
    subject: "Secret subject",
    fileIds: [],
    meetingId: null,
    to: [{ name: "Priya", address: first.email }],
    cc: [],
    inReplyTo: "",
    references: [],
    body: { type: "doc", content: [{ type: "paragraph", content: [{ type: "text", text: "Secret" }] }] },
    sendAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  expect(await person.api.outbox.list.query({ clientId: first.id, page: 1 })).toMatchObject({ total: 0, items: [] });
  for (const call of [person.api.outbox.cancel, person.api.outbox.sendNow])
    expect(await refusal(call.mutate({ id }))).toMatchObject({ code: "NOT_FOUND" });
  const again = person.api.outbox.retry.mutate({ changeId: newId(), id });
  expect(await refusal(again)).toMatchObject({ code: "NOT_FOUND" });
  expect((await practice.api.outbox.list.query({ clientId: first.id, page: 1 })).total).toBe(1);
});

test.each([3, 4, 5] as const)(
  "S71: role %s declares itself accredited or signs a certificate, then is refused",
  async (role) => {
    const person = await aStaffUser(app, practice, { role, permissions: [...READS_AND_WRITES] });
    const { theCase, p1 } = await aCase(practice);
    const { version } = await person.api.users.profile.query();
    const profile = { firstName: "Tom", lastName: "Birch", isAccredited: true, accreditationNumber: "1234A", version };
    expect(await refusal(person.api.users.updateProfile.mutate(profile))).toMatchObject({ code: "BAD_REQUEST" });
    await mongoose.connection
      .collection<{ _id: string }>("users")
      .updateOne(
        { _id: await idOf(person) },
        { $set: { accreditation: { fmca: true, urn: "1234A", confirmed_at: new Date() } } },
      );
    expect((await person.api.users.profile.query()).isAccredited).toBe(false);
    const mediatorId = await authorise(practice, practice, "9876Z");
    const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId };
    expect(await refusal(aCertificate(person, whose))).toMatchObject(NOT_THEIRS);
  },
);

test("S71: a mediator's certificate is declared void by the owner, a mediator of the case or its signer alone", async () => {
  const signer = await aStaffUser(app, practice, { role: 2 });
  const caseworker = await aStaffUser(app, practice, { role: 3 });
  const elsewhere = await aStaffUser(app, practice, { role: 2 });
  const mediatorId = await authorise(practice, signer, "5678B");
  const { theCase, p1 } = await aCase(practice, ledBy(mediatorId));
  const { id } = await aCertificate(signer, { caseId: theCase.id, partyId: p1.partyId, mediatorId });
  for (const person of [caseworker, elsewhere]) {
    const { items } = await person.api.certificates.list.query({ caseId: theCase.id });
    expect(items).toMatchObject([{ id, mayVoid: false }]);
    expect(await refusal(person.api.certificates.void.mutate({ id, reason: "x" }))).toMatchObject(NOT_THEIRS);
  }
  expect(await signer.api.certificates.void.mutate({ id, reason: "Wrong party" })).toMatchObject({ status: "void" });
});
