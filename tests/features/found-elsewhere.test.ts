// That somebody is not safe to mediate holds in every case of the same people, until a screening there looked at it.
import { newId } from "@app/server/core/ids";
import { NOBODY_WHILE_UNSAFE, SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import type { Permission } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { addDays } from "@app/shared/days";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCaseInput, aClient, aMeetingInput, aPractice, aStaffUser, type Api } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, screened } from "../support/server/screened.ts";
import { TODAY } from "../support/server/led.ts";
import { mediatingToo, screenedCaseOf } from "../support/server/screened-case.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const BOOKING: Permission[] = ["clients.read", "clients.write", "calendar.manage"];
/** Books and starts, and may not read screenings. */
const blind = forAllTests(() => aStaffUser(app, practice, { permissions: BOOKING }));

let hour = 0;
const mediating = (clientIds: string[], leadId?: string) => mediatingToo(practice, clientIds, leadId);

/** Two cases of the same two, the second of whom is not safe in the first. */
async function twoCases(leadId?: string) {
  const first = await screenedCaseOf(practice, [{}, NOT_SAFE]);
  const clientIds = first.theCase.parties.map(({ clientId }) => clientId);
  return { first, clientIds, theCase: await mediating(clientIds, leadId) };
}

const partyOf = ({ parties }: Case, index: number) => parties[index]?.partyId ?? "";
const start = ({ id }: Case, api: Api = practice.api) =>
  api.sessions.start.mutate({ id: newId(), caseId: id, meetingId: null });
const book = ({ id, parties }: Case, api: Api = practice.api) =>
  api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: id,
      partyIds: parties.map(({ partyId }) => partyId),
      startsAt: new Date(Date.UTC(2031, 5, 4) + (hour += 2) * 3_600_000).toISOString(),
    }),
  );
const elsewhereOf = async ({ id }: Case, api: Api = practice.api) =>
  (await api.screenings.list.query({ caseId: id })).elsewhere;
const screen = (theCase: Case, more: object = {}, api: Api = practice.api) =>
  api.screenings.complete.mutate(aScreening(theCase, partyOf(theCase, 1), more));

test("another case of the same two: while one is not safe in the first, nobody meets, and only who may read screenings is told why", async () => {
  const { first, theCase } = await twoCases();
  const words = expect.stringMatching(
    new RegExp(`^P2 was found not safe to mediate on .+ in case ${first.theCase.caseRef}\\. Screen them in this case`),
  );
  for (const [api, message] of [
    [practice.api, words],
    [blind.api, SCREENING_SAYS_NOT_YET],
  ] as const) {
    const refused = { code: "PRECONDITION_FAILED", message };
    expect(await refusal(start(theCase, api))).toMatchObject(refused);
    expect(await refusal(book(theCase, api))).toMatchObject(refused);
  }
  expect((await practice.api.screenings.list.query({ caseId: theCase.id })).again).toEqual([
    { partyId: partyOf(theCase, 1), why: words },
  ]);
});

test("another case of the same two: while one is not safe in the first, nobody is invited", async () => {
  const { clientIds } = await twoCases();
  const theCase = await practice.api.casework.create.mutate(aCaseInput(clientIds));
  await screened(theCase);
  const invite = {
    id: theCase.id,
    version: theCase.version,
    changeId: newId(),
    partyId: partyOf(theCase, 1),
    channel: "post" as const,
    on: TODAY,
    wording: "A letter",
  };
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
  const { missing } = await practice.api.casework.invitations.query({ id: theCase.id });
  expect(JSON.stringify(missing)).toContain(NOBODY_WHILE_UNSAFE);
  for (const [api, message] of [
    [practice.api, NOBODY_WHILE_UNSAFE],
    [blind.api, SCREENING_SAYS_NOT_YET],
  ] as const)
    expect(await refusal(api.casework.inviteParty.mutate(invite))).toMatchObject({ message });
});

test("screenings.complete: of somebody not safe elsewhere, finds them safe only once it was looked at, and then they meet", async () => {
  const { first, theCase } = await twoCases();
  const [found] = await elsewhereOf(theCase);
  expect(found).toMatchObject({
    partyId: partyOf(theCase, 1),
    words: expect.stringContaining(`in case ${first.theCase.caseRef}.`),
  });
  for (const lookedAt of [undefined, [], [newId()]])
    expect((await refusal(screen(theCase, lookedAt ? { lookedAt } : {}))).fields).toEqual({
      lookedAt: expect.stringContaining("Look at that first, and confirm that you did."),
    });
  const lookedAt = [found?.screeningId ?? ""];
  expect(await screen(theCase, { lookedAt })).toMatchObject({ lookedAt, suitable: "yes" });
  expect(await elsewhereOf(theCase)).toEqual([]);
  expect(await start(theCase)).toMatchObject({ status: "in_progress" });
});

test("another case of the same two: when the finding is struck, or one that allows mediation follows it there, then they meet", async () => {
  const struck = await twoCases();
  const { items } = await practice.api.screenings.list.query({ caseId: struck.first.theCase.id });
  const finding = items.find(({ suitable }) => suitable === "no")?.id ?? "";
  await practice.api.screenings.strike.mutate({ id: finding, reason: "Recorded of the wrong person" });
  expect(await start(struck.theCase)).toMatchObject({ status: "in_progress" });
  const followed = await twoCases();
  await screen(followed.first.theCase);
  expect(await start(followed.theCase)).toMatchObject({ status: "in_progress" });
});

test("another case of the same two: when the one who was screened with that in view is found not safe there anew, then they wait again", async () => {
  const { first, theCase } = await twoCases();
  await screen(theCase, { lookedAt: (await elsewhereOf(theCase)).map(({ screeningId }) => screeningId) });
  await screen(first.theCase, NOT_SAFE);
  expect(await refusal(start(theCase))).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect(await elsewhereOf(theCase)).toHaveLength(1);
});

test("screenings.complete: that somebody is not safe here too is kept without having looked elsewhere", async () => {
  const { theCase } = await twoCases();
  expect(await screen(theCase, NOT_SAFE)).toMatchObject({ suitable: "no", lookedAt: [] });
});

test("screenings.complete: somebody who does not mediate finds nobody safe who was found not safe elsewhere", async () => {
  const { theCase } = await twoCases();
  const worker = await aStaffUser(app, practice, { permissions: [...BOOKING, "screening.read"] });
  const lookedAt = (await elsewhereOf(theCase)).map(({ screeningId }) => screeningId);
  expect(await refusal(screen(theCase, { lookedAt }, worker.api))).toMatchObject({ code: "FORBIDDEN" });
});

test("another case of the same two: whoever may not see the first hears only that there is one", async () => {
  const permissions: Permission[] = [...BOOKING, "screening.read", "assigned_only"];
  const associate = await aStaffUser(app, practice, { role: 2, permissions });
  const { user } = await associate.api.auth.status.query();
  const { first, theCase } = await twoCases(user?.userId);
  const [found] = await elsewhereOf(theCase, associate.api);
  expect(found?.words).toMatch(/^P2 was found not safe to mediate on .+ in another case\.$/);
  const refused = await refusal(start(theCase, associate.api));
  expect(refused.message).toContain("in another case");
  expect(refused.message).not.toContain(first.theCase.caseRef);
  const lookedAt = [found?.screeningId ?? ""];
  // Nobody says that they looked at what they cannot see.
  expect(await refusal(screen(theCase, { lookedAt }, associate.api))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: expect.stringContaining("Ask the owner"),
  });
  expect(await screen(theCase, { lookedAt })).toMatchObject({ lookedAt });
});

test("a case with only one of them: what was found between her and another holds nothing up", async () => {
  const { clientIds } = await twoCases();
  const { id: other } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const theCase = await mediating([other, clientIds[1] ?? ""]);
  expect(await elsewhereOf(theCase)).toEqual([]);
  expect(await start(theCase)).toMatchObject({ status: "in_progress" });
});

test("sessions.record: one that was held while somebody was not safe elsewhere asks why, and names no other case", async () => {
  const { first, theCase } = await twoCases();
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const record = practice.api.sessions.record.mutate({
    id: newId(),
    caseId: theCase.id,
    meetingId: null,
    startedAt: ago(0.04),
    endedAt: ago(0.02),
    unmetReason: "",
  });
  const { fields } = await refusal(record);
  expect(fields["unmetReason"]).toContain("P2 had been found not safe to mediate in another case");
  expect(JSON.stringify(fields)).not.toContain(first.theCase.caseRef);
});

/** A case that does not proceed, since somebody is not safe. */
const endUnsafe = async ({ id }: Case, more: object = {}) => {
  const { version } = await practice.api.cases.get.query({ id });
  const end = { id, version, to: "not_proceeding" as const, ending: "not_safe" as const };
  return practice.api.casework.move.mutate({ ...end, reason: "She is still afraid", ...more });
};

test("casework.move: a case in which nobody was screened, when somebody was found not safe in another one, then it ends for that", async () => {
  const { clientIds, first } = await twoCases();
  const opened = await practice.api.casework.create.mutate(aCaseInput(clientIds));
  expect(await endUnsafe(opened)).toMatchObject({ status: "not_proceeding", ending: "not_safe" });
  const other = await practice.api.casework.create.mutate(aCaseInput(clientIds));
  await screen(first.theCase);
  expect((await refusal(endUnsafe(other))).fields).toEqual({
    ending: expect.stringContaining("Nobody in this case is recorded as"),
  });
});

test("casework.move: a case that ends for what was found in another one does not end before the day of that", async () => {
  const { clientIds } = await twoCases();
  const startedOn = addDays(TODAY, -9);
  const opened = await practice.api.casework.create.mutate(aCaseInput(clientIds, { startedOn }));
  expect((await refusal(endUnsafe(opened, { endedOn: addDays(TODAY, -2) }))).fields).toEqual({
    endedOn: expect.stringContaining("Nobody was found not safe by then"),
  });
  expect(await endUnsafe(opened, { endedOn: TODAY })).toMatchObject({ concludedOn: TODAY });
});
