// Whoever sees assigned cases only brings into a place of their own what is theirs to bring, as each case stands now.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import type { Case } from "@app/shared/cases";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { changeTeam, WAYS_TO_BELONG } from "../support/visibility/case-team.ts";
import { aContact } from "../support/access/contacts-access.ts";
import { aCase, aCaseInput, aClient, aPractice, aStaffUser, scopeOf } from "../support/server/people.ts";
import type { TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";

const PERMISSIONS = [
  "clients.read",
  "clients.write",
  "notes.private.read",
  "documents.manage",
  "assigned_only",
] as const;
const NOT_THEIRS = { code: "FORBIDDEN", message: expect.stringContaining("a case of others") };
const MISSING = { code: "NOT_FOUND" };

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const sam = forEachTest(() => aStaffUser(app, practice, { permissions: [...PERMISSIONS] }));

const idOf = async ({ api }: TestPerson): Promise<string> => (await api.auth.status.query()).user?.userId ?? "";
const takeOff = ({ id }: Pick<Case, "id">) => changeTeam(practice, practice, { id }, { staffIds: [] });
const lead = ({ id }: Pick<Case, "id">) => changeTeam(practice, practice, { id }, { mediators: [practice.ownerId] });

/** A case that Sam opened for a client of their own. */
async function anIntake(firstName = "Own") {
  const client = await sam.api.clients.create.mutate(aClient({ firstName }));
  return { client, theCase: await sam.api.casework.create.mutate(aCaseInput([client.id])) };
}

async function join({ api }: Pick<TestPerson, "api">, { id }: Pick<Case, "id">, clientId: string): Promise<Case> {
  const { version } = await api.cases.get.query({ id });
  const party = { clientId, role: "respondent" as const, side: "b" as const };
  return api.casework.addParty.mutate({ changeId: newId(), id, version, party });
}

async function aFile(place: { clientId: string | null; caseId: string | null }, by = practice.ownerId) {
  const scope = { ...scopeOf(practice.ownerId), userId: by };
  const upload = { name: "papers.txt", ...place, visibility: PRACTICE_ONLY };
  return (await storeFile(scope, Readable.from([newId()]), upload)).id;
}

const fetched = async (id: string) =>
  (await fetch(`${app.url}/files/${id}`, { headers: { cookie: sam.cookies() } })).status;

describe("a client", () => {
  test.each([
    ["the owner mediates it by then", true],
    ["nobody mediates it", false],
  ])(
    "S71: another's client in a case that somebody opened, when %s, goes into no case of theirs",
    async (_why, isLed) => {
      const { theCase } = await anIntake();
      const other = await anIntake("Other");
      if (isLed) await lead(theCase);
      const added = await practice.api.clients.create.mutate(aClient({ firstName: "Added" }));
      await join(practice, theCase, added.id);
      expect((await sam.api.clients.get.query({ id: added.id })).firstName).toBe("Added");
      expect(await refusal(join(sam, other.theCase, added.id))).toMatchObject(NOT_THEIRS);
      expect(await refusal(sam.api.casework.create.mutate(aCaseInput([added.id])))).toMatchObject(NOT_THEIRS);
      await takeOff(theCase);
      expect(await refusal(sam.api.clients.get.query({ id: added.id }))).toMatchObject(MISSING);
    },
  );

  test("S71: one's own client in a case that one opened, once the owner mediates it, goes into no further case", async () => {
    const { client, theCase } = await anIntake();
    await lead(theCase);
    expect(await refusal(sam.api.casework.create.mutate(aCaseInput([client.id])))).toMatchObject(NOT_THEIRS);
    await takeOff(theCase);
    expect(await refusal(sam.api.clients.get.query({ id: client.id }))).toMatchObject(MISSING);
  });

  test("S71: one's own client, while nobody else leads their cases, opens a second one and joins a third", async () => {
    const { client } = await anIntake();
    const other = await anIntake("Other");
    const second = await sam.api.casework.create.mutate(aCaseInput([client.id]));
    expect(second.parties).toHaveLength(1);
    expect((await join(sam, other.theCase, client.id)).parties).toHaveLength(2);
  });

  test("S71: a client of a case that somebody mediates now, whoever made both, joins another case of theirs", async () => {
    const mediator = await aStaffUser(app, practice, { role: 2, permissions: [...PERMISSIONS] });
    const userId = await idOf(mediator);
    const { theCase, first } = await aCase(practice, { mediators: [{ userId, isLead: true }] });
    const again = await mediator.api.casework.create.mutate(aCaseInput([first.id]));
    expect(again.parties).toHaveLength(1);
    await changeTeam(practice, practice, theCase, { mediators: [], staffIds: [userId] });
    expect(await refusal(mediator.api.casework.create.mutate(aCaseInput([first.id])))).toMatchObject(NOT_THEIRS);
  });
});

describe("a file", () => {
  test("S71: what another put into a case that somebody opened, then it is moved nowhere and is gone with the case", async () => {
    const { client, theCase } = await anIntake();
    const other = await anIntake("Other");
    const id = await aFile({ clientId: null, caseId: theCase.id });
    for (const place of [
      { clientId: null, caseId: other.theCase.id },
      { clientId: client.id, caseId: null },
    ])
      expect(await refusal(sam.api.files.move.mutate({ ids: [id], ...place }))).toMatchObject(NOT_THEIRS);
    expect(await fetched(id)).toBe(200);
    await takeOff(theCase);
    expect(await fetched(id)).toBe(404);
  });

  test("S71: what somebody put into their intake themselves, then they put it elsewhere until another leads it", async () => {
    const { theCase } = await anIntake();
    const other = await anIntake("Other");
    const [one = "", two = ""] = await Promise.all(
      [1, 2].map(async () => aFile({ clientId: null, caseId: theCase.id }, await idOf(sam))),
    );
    const there = { clientId: null, caseId: other.theCase.id };
    expect(await sam.api.files.move.mutate({ ids: [one], ...there })).toEqual({ changed: 1 });
    await lead(theCase);
    expect(await refusal(sam.api.files.move.mutate({ ids: [two], ...there }))).toMatchObject(NOT_THEIRS);
  });

  test("S71: a file of a client alone, whose cases others lead, is carried to no other client or case", async () => {
    const { theCase, first } = await aCase(practice, { staffIds: [await idOf(sam)] });
    const own = await anIntake();
    const id = await aFile({ clientId: first.id, caseId: null });
    for (const place of [
      { clientId: null, caseId: own.theCase.id },
      { clientId: own.client.id, caseId: null },
      { clientId: own.client.id, caseId: own.theCase.id },
    ])
      expect(await refusal(sam.api.files.move.mutate({ ids: [id], ...place }))).toMatchObject(NOT_THEIRS);
    await takeOff(theCase);
    expect(await fetched(id)).toBe(404);
    const { items } = await practice.api.files.list.query({ clientId: first.id });
    expect(items.map((file) => file.id)).toEqual([id]);
  });

  test("S71: a file of a client alone, when it is put into the case of that client, is moved and is gone with the case", async () => {
    const { theCase, first } = await aCase(practice, { staffIds: [await idOf(sam)] });
    const id = await aFile({ clientId: first.id, caseId: null });
    const move = { ids: [id], clientId: null, caseId: theCase.id };
    expect(await sam.api.files.move.mutate(move)).toEqual({ changed: 1 });
    await takeOff(theCase);
    expect(await fetched(id)).toBe(404);
  });

  test("S71: a file of a client of two cases, when it is put into one of them, then only where nobody of the other loses it", async () => {
    const hugh = await aStaffUser(app, practice, { role: 2, permissions: [...PERMISSIONS] });
    const hughId = await idOf(hugh);
    const { first } = await aCase(practice, { mediators: [{ userId: hughId, isLead: true }] });
    const second = await practice.api.casework.create.mutate(aCaseInput([first.id], { staffIds: [await idOf(sam)] }));
    const id = await aFile({ clientId: first.id, caseId: null });
    for (const clientId of [first.id, null])
      expect(await refusal(sam.api.files.move.mutate({ ids: [id], clientId, caseId: second.id }))).toMatchObject(
        NOT_THEIRS,
      );
    expect((await hugh.api.files.get.query({ id })).id).toBe(id);
    await changeTeam(practice, practice, second, { staffIds: [await idOf(sam), hughId] });
    const move = { ids: [id], clientId: first.id, caseId: second.id };
    expect(await sam.api.files.move.mutate(move)).toEqual({ changed: 1 });
    expect((await hugh.api.files.get.query({ id })).id).toBe(id);
  });
});

describe.each(Object.entries(WAYS_TO_BELONG))("a contact, by %s", (_way, { add, remove }) => {
  test.each(Object.entries(WAYS_TO_BELONG))(
    "S71: of a case that others lead, when it is brought into one's own by %s, then that is refused",
    async (_name, { add: bring }) => {
      const { theCase } = await aCase(practice, { staffIds: [await idOf(sam)] });
      const own = await anIntake();
      const { id } = await practice.api.contacts.create.mutate(aContact());
      await add(practice, theCase, id);
      expect(await refusal(bring(sam, own.theCase, id))).toMatchObject(NOT_THEIRS);
      const unlinked = await refusal(remove(sam, theCase, id));
      expect(unlinked.message).toBe("was not refused");
      expect(await refusal(bring(sam, own.theCase, id))).toMatchObject(NOT_THEIRS);
      await takeOff(theCase);
      expect(await refusal(sam.api.contacts.get.query({ id }))).toMatchObject(MISSING);
    },
  );

  test("S71: of nobody's case, when an intake needs it, then it is there, and one of one's own is there for the next", async () => {
    const { theCase } = await anIntake();
    const next = await anIntake("Next");
    const { id } = await practice.api.contacts.create.mutate(aContact());
    await add(sam, theCase, id);
    const own = await sam.api.contacts.create.mutate(aContact({ firstName: "Own" }));
    await add(sam, theCase, own.id);
    await add(sam, next.theCase, own.id);
    expect((await sam.api.contacts.get.query({ id })).displayName).toBe("Harriet Lowell");
  });
});

test("S71: casework.create with a referrer who belongs to a case of others is refused, and with a free one opens", async () => {
  const { theCase } = await aCase(practice, { staffIds: [await idOf(sam)] });
  const client = await sam.api.clients.create.mutate(aClient({ firstName: "Own" }));
  const [taken, free] = await Promise.all([1, 2].map(() => practice.api.contacts.create.mutate(aContact())));
  await changeTeam(practice, practice, theCase, { referrerId: taken?.id ?? "" });
  const referredBy = (contactId = "") =>
    aCaseInput([client.id], { referral: { source: "solicitor", contactId, campaign: "" } });
  expect(await refusal(sam.api.casework.create.mutate(referredBy(taken?.id)))).toMatchObject(NOT_THEIRS);
  const opened = await sam.api.casework.create.mutate(referredBy(free?.id));
  expect(opened.referral.contactId).toBe(free?.id);
  const stranger = await aStaffUser(app, practice, { permissions: [...PERMISSIONS] });
  expect(await refusal(stranger.api.contacts.get.query({ id: free?.id ?? "" }))).toMatchObject(MISSING);
});
