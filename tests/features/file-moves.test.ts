// What leaves a case for other people goes by who answers for both, and is theirs to show there.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { storeFile } from "@app/server/features/files/files.service";
import { MEDIATOR_ONLY, PRACTICE_ONLY, SHARED, type Visibility } from "@app/shared/visibility";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests, forEachTest } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aPractice, aStaffUser, scopeOf, type TestPerson } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { changeTeam } from "../support/visibility/case-team.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const from = forEachTest(() => aCase(practice));
const others = forEachTest(() => aCase(practice));
type Person = Pick<TestPerson, "api">;

const keep = (visibility: Visibility) =>
  storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(newId())]), {
    name: "words.txt",
    visibility,
    caseId: from.theCase.id,
    clientId: null,
  });
const move = (by: Person, id: string, caseId: string) =>
  by.api.files.move.mutate({ ids: [id], clientId: null, caseId });
const release = (by: Person, id: string) =>
  by.api.files.release.mutate({ id, newId: newId(), readers: SHARED, consent: null });
const caseworker = () => aStaffUser(app, practice, { role: 3, permissions: ["clients.read", "documents.manage"] });
const idOf = async ({ api }: Person) => (await api.auth.status.query()).user?.userId ?? "";

test("files.move: to a case of other people what is kept for the practice goes by who answers for both alone", async () => {
  const { id } = await keep(PRACTICE_ONLY);
  const mediator = await aStaffUser(app, practice, { role: 2 });
  await changeTeam(practice, practice, from.theCase, { mediators: [await idOf(mediator)] });
  for (const person of [await caseworker(), mediator])
    expect(await refusal(move(person, id, others.theCase.id))).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining("a case of other people"),
    });
  await changeTeam(practice, practice, others.theCase, { mediators: [await idOf(mediator)] });
  expect(await move(mediator, id, others.theCase.id)).toEqual({ changed: 1 });
});

test("files.move: to another case that all of them are in, somebody who answers for neither moves it, and releases it there", async () => {
  const { id } = await keep(PRACTICE_ONLY);
  const staff = await caseworker();
  const again = await practice.api.casework.create.mutate(aCaseInput([from.first.id, from.second.id], { caseRef: "" }));
  expect(await move(staff, id, again.id)).toEqual({ changed: 1 });
  expect(await release(staff, id)).toMatchObject({ visibility: SHARED });
});

test("files.release: what was kept in a case of other people is shown by who answers for that one alone; back there, as ever", async () => {
  const [{ id }, { id: back }] = [await keep(PRACTICE_ONLY), await keep(PRACTICE_ONLY)];
  const staff = await caseworker();
  for (const each of [id, back]) await move(practice, each, others.theCase.id);
  expect(await refusal(release(staff, id))).toMatchObject({
    code: "FORBIDDEN",
    message: expect.stringContaining("was kept in a case of other people"),
  });
  expect(await release(practice, id)).toMatchObject({ visibility: SHARED });
  await move(practice, back, from.theCase.id);
  expect(await release(staff, back)).toMatchObject({ visibility: SHARED });
});

test("files.move: what is for the mediators of a case does not leave it for a client", async () => {
  const { id } = await keep(MEDIATOR_ONLY);
  const out = { ids: [id], clientId: from.first.id, caseId: null };
  expect(await refusal(practice.api.files.move.mutate(out))).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect(await practice.api.files.get.query({ id })).toMatchObject({ caseId: from.theCase.id });
});
