// What is hidden from somebody is not told by a refusal, a warning or a name either.
import { newId } from "@app/server/core/ids";
import { describe, expect, test } from "vitest";
import { aContact } from "../support/access/contacts-access.ts";
import { checked, imported, settled, uploaded } from "../support/hostile/import-uploads.ts";
import { aCase, aCaseInput, aClient, aMeetingInput, aPractice, aStaffUser } from "../support/server/people.ts";
import type { TestPerson } from "../support/server/people.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aTerm } from "../support/visibility/conflict-terms.ts";

const PERMISSIONS = ["clients.read", "clients.write", "calendar.manage", "data.export", "assigned_only"] as const;
const REFUSED = "This reference cannot be used. Choose another one, or leave it empty for the next number.";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
const sam = forEachTest(() => aStaffUser(app, practice, { permissions: [...PERMISSIONS] }));

const idOf = async ({ api }: TestPerson): Promise<string> => (await api.auth.status.query()).user?.userId ?? "";

describe("a reference that another case has", () => {
  test("S70: casework.create: by somebody who sees assigned cases only, then it is refused without a word of that case", async () => {
    const { theCase } = await aCase(practice, { caseRef: "SECRET-1" });
    const own = await sam.api.clients.create.mutate(aClient());
    const again = (person: Pick<TestPerson, "api">, clientId: string) =>
      refusal(person.api.casework.create.mutate(aCaseInput([clientId], { caseRef: theCase.caseRef })));
    expect(await again(sam, own.id)).toMatchObject({ code: "BAD_REQUEST", fields: { caseRef: REFUSED } });
    const other = await practice.api.clients.create.mutate(aClient());
    expect((await again(practice, other.id)).fields["caseRef"]).toContain("Another case has this reference");
    expect((await sam.api.casework.create.mutate(aCaseInput([own.id]))).caseRef).not.toBe(theCase.caseRef);
  });

  test("S70: imports: when that case is hidden, the check is silent, and the row alone is refused when it is stored", async () => {
    await aCase(practice, { caseRef: "SECRET-1" });
    await sam.api.clients.create.mutate(aClient({ email: "own@example.org" }));
    const list = "Reference,Matter,Party 1\nSECRET-1,One,own@example.org\nFREE-1,Two,own@example.org\n";
    const id = await uploaded(app, sam, list, { kind: "cases" });
    expect((await checked(sam.api, id)).counts).toMatchObject({ ready: 2, duplicates: 0, bad: 0 });
    expect((await sam.api.imports.listProblems.query({ id })).items).toEqual([]);
    await sam.api.imports.start.mutate({ id });
    expect((await settled(sam.api, id)).counts).toMatchObject({ imported: 1, bad: 1 });
    const { items } = await sam.api.imports.listProblems.query({ id });
    expect(items).toMatchObject([{ kind: "bad", row: 2, message: REFUSED }]);
  });

  test("imports: when that case is one's own, the check says so", async () => {
    const own = await sam.api.clients.create.mutate(aClient({ email: "own@example.org" }));
    await sam.api.casework.create.mutate(aCaseInput([own.id], { caseRef: "MINE-1" }));
    const id = await uploaded(app, sam, "Reference,Matter,Party 1\nMINE-1,One,own@example.org\n", { kind: "cases" });
    expect((await checked(sam.api, id)).counts).toMatchObject({ ready: 0, duplicates: 1 });
  });
});

describe("imports.check, by somebody who sees assigned cases only", () => {
  test.each([
    ["an email", "First name,Surname,Email\nSomeone,Else,hidden@example.org\n"],
    ["a phone number", "First name,Surname,Phone\nSomeone,Else,07700 900777\n"],
    ["a name and birth date", "First name,Surname,Date of birth\nHidden,Person,1971-02-03\n"],
  ])("S70: a client with %s of a hidden one is ready, and of one they see a duplicate", async (_what, list) => {
    const hidden = aClient({
      firstName: "Hidden",
      lastName: "Person",
      email: "hidden@example.org",
      dateOfBirth: "1971-02-03",
      phones: [{ type: "mobile", number: "07700 900777", isPreferred: true }],
    });
    await practice.api.clients.create.mutate(hidden);
    const id = await uploaded(app, sam, list);
    expect((await checked(sam.api, id)).counts).toMatchObject({ ready: 1, duplicates: 0 });
    expect((await sam.api.imports.listProblems.query({ id })).items).toEqual([]);
    await sam.api.clients.create.mutate({ ...hidden, id: newId() });
    expect((await checked(sam.api, id)).counts).toMatchObject({ ready: 0, duplicates: 1 });
  });

  test("S70: a contact like one of a hidden case is ready, and like one of nobody's a duplicate", async () => {
    const { theCase } = await aCase(practice);
    const { id: contactId } = await practice.api.contacts.create.mutate(aContact());
    const list = "First name,Surname,Organisation\nHarriet,Lowell,Lowell & Finch LLP\n";
    const id = await uploaded(app, sam, list, { kind: "contacts" });
    expect((await checked(sam.api, id)).counts).toMatchObject({ ready: 0, duplicates: 1 });
    const link = { changeId: newId(), id: contactId, caseId: theCase.id, role: "solicitor" as const, partyId: null };
    await practice.api.contacts.link.mutate(link);
    expect((await checked(sam.api, id)).counts).toMatchObject({ ready: 1, duplicates: 0 });
  });

  test("S70: a meeting at the time of a hidden one is ready, and at the time of one's own a duplicate", async () => {
    const startsAt = "2031-03-04T09:00:00.000Z";
    await practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, { startsAt, type: "call" }));
    const list = "Date,Start,End,Type\n04/03/2031,09:00,10:00,Call\n";
    const id = await uploaded(app, sam, list, { kind: "meetings" });
    expect((await checked(sam.api, id)).counts).toMatchObject({ ready: 1, duplicates: 0 });
    expect(
      (await checked(practice.api, await uploaded(app, practice, list, { kind: "meetings" }))).counts,
    ).toMatchObject({ ready: 0, duplicates: 1 });
    await sam.api.meetings.create.mutate(aMeetingInput(await idOf(sam), { startsAt, type: "call" }));
    expect((await checked(sam.api, id)).counts).toMatchObject({ ready: 0, duplicates: 1 });
  });

  test("S70: a case like a hidden one of the same clients is ready", async () => {
    const own = await sam.api.clients.create.mutate(aClient({ email: "own@example.org" }));
    await sam.api.casework.create.mutate(aCaseInput([own.id], { matter: "Seen" }));
    const row = "Matter,Party 1,Opened on\nUnseen,own@example.org,01/02/2026\n";
    await imported(app, practice, row, { kind: "cases" });
    const id = await uploaded(app, sam, row, { kind: "cases" });
    expect((await checked(sam.api, id)).counts).toMatchObject({ ready: 1, duplicates: 0 });
  });
});

describe("a conflict check, by somebody who sees assigned cases only", () => {
  test.each([
    ["phone number", aTerm({ phones: ["07700 900777"] })],
    ["email", aTerm({ email: "hidden@example.org" })],
    ["name", aTerm({ firstName: "Hiden", lastName: "Perssonne" })],
  ])(
    "S70: conflicts.search: by the %s of a hidden client, then it says that there is one and nothing else",
    async (_by, term) => {
      const { id } = await practice.api.clients.create.mutate(
        aClient({
          firstName: "Hidden",
          lastName: "Perssonne",
          email: "hidden@example.org",
          phones: [{ type: "mobile", number: "07700 900777", isPreferred: true }],
        }),
      );
      const search = ({ api }: Pick<TestPerson, "api">) => api.conflicts.search.query({ term });
      expect(await search(sam)).toEqual({ items: [], hiddenCount: 1, isCut: false });
      expect(await search(practice)).toMatchObject({ items: [{ id }], hiddenCount: 0 });
    },
  );

  test("S70: conflicts.search: a contact of a hidden case is counted, one of nobody's is named", async () => {
    const { theCase } = await aCase(practice);
    const { id } = await practice.api.contacts.create.mutate(aContact());
    const search = () => sam.api.conflicts.search.query({ term: aTerm({ firstName: "Harriet", lastName: "Lowell" }) });
    expect(await search()).toMatchObject({ items: [{ id }], hiddenCount: 0 });
    const link = { changeId: newId(), id, caseId: theCase.id, role: "solicitor" as const, partyId: null };
    await practice.api.contacts.link.mutate(link);
    expect(await search()).toEqual({ items: [], hiddenCount: 1, isCut: false });
  });

  test("S70: conflicts.ofCase: what was found now and when the owner decided is counted, and a decision keeps all of it", async () => {
    const { theCase, first } = await aCase(practice, { staffIds: [await idOf(sam)] });
    const hidden = await practice.api.clients.create.mutate(aClient({ firstName: "Unseen", email: first.email }));
    const decided = { caseId: theCase.id, decision: "flagged" as const, reason: "Look again" };
    for (const person of [practice, sam]) {
      await person.api.conflicts.decide.mutate({ id: newId(), ...decided });
      const told = await sam.api.conflicts.ofCase.query({ id: theCase.id });
      expect(told).toMatchObject({ hits: [], hiddenCount: 1, latest: { hits: [], hiddenCount: 1 } });
      expect(JSON.stringify(told)).not.toMatch(/Unseen/);
      const known = await practice.api.conflicts.ofCase.query({ id: theCase.id });
      const whole = { hits: [{ id: hidden.id }], hiddenCount: 0 };
      expect(known).toMatchObject({ ...whole, latest: whole });
    }
  });
});

test("S70: tasks.list, get and update: a client whom the reader does not see is not named, one of their case is", async () => {
  const assigneeId = await idOf(sam);
  const { theCase, first } = await aCase(practice, { staffIds: [assigneeId] });
  const hidden = await practice.api.clients.create.mutate(aClient({ firstName: "Hidden", lastName: "Person" }));
  const [ofHidden, ofSeen] = await Promise.all(
    [hidden, first].map(({ id: clientId }) =>
      practice.api.tasks.create.mutate({
        id: newId(),
        title: "Ring back",
        dueOn: null,
        assigneeId,
        caseId: theCase.id,
        clientId,
      }),
    ),
  );
  expect(ofHidden).toMatchObject({ clientId: hidden.id, clientName: "Hidden Person" });
  const { items } = await sam.api.tasks.list.query({});
  const byId = new Map(items.map((task) => [task.id, task]));
  expect(byId.get(ofHidden?.id ?? "")).toMatchObject({ clientId: null, clientName: "", caseRef: theCase.caseRef });
  expect(byId.get(ofSeen?.id ?? "")).toMatchObject({ clientId: first.id, clientName: first.displayName });
  const changed = await sam.api.tasks.setStatus.mutate({ id: ofHidden?.id ?? "", status: "doing" });
  expect(changed).toMatchObject({ clientId: null, clientName: "" });
  const { version } = changed;
  const update = { id: ofHidden?.id ?? "", version, title: "Ring again", dueOn: null, assigneeId };
  expect(await sam.api.tasks.update.mutate(update)).toMatchObject({ clientId: null, clientName: "" });
});
