// The nominated officer: who may be one, what they are asked, and who is told where there is none who may read.
import { dayIn } from "@app/shared/days";
import type { Permission } from "@app/shared/access";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, type Api, setPermissions, type TestPractice } from "../support/server/people.ts";
import { anEntry } from "../support/server/safeguarded.ts";
import { startTestApp } from "../support/server/test-app.ts";

const RECORD: Permission[] = ["clients.read", "clients.write", "safeguarding.read"];
const WITHOUT: Permission[] = ["clients.read", "clients.write", "screening.read", "notes.private.read"];
const TITLE = "Read the safeguarding record";

const app = forAllTests(startTestApp);

const aPerson = async (practice: TestPractice, permissions: Permission[] = RECORD) => {
  const person = await aStaffUser(app, practice, { permissions });
  return { ...person, userId: (await person.api.auth.status.query()).user?.userId ?? "" };
};

async function aHouse() {
  const practice = await aPractice(app);
  const { theCase } = await aCase(practice);
  return { practice, theCase, author: await aPerson(practice), officer: await aPerson(practice) };
}

const suspicionIn = (caseId: string) => anEntry(caseId, { kind: "suspicious_activity", concern: "Cash from nowhere" });
const tasksOf = async (api: Api) => (await api.tasks.list.query({ page: 1, assignee: "anyone" })).items;
const nameOfficer = ({ api }: TestPractice, userId: string | null) => api.safeguarding.setOfficer.mutate({ userId });

test("safeguarding.setOfficer: with somebody who may not read the record, is refused with what to do, and nobody is named", async () => {
  const { practice } = await aHouse();
  for (const permissions of [WITHOUT, ["safeguarding.read"] as const]) {
    const { userId } = await aPerson(practice, [...permissions]);
    expect(await refusal(nameOfficer(practice, userId))).toMatchObject({
      code: "BAD_REQUEST",
      fields: {
        userId:
          "Tom Birch may not read the safeguarding record. Give them the permissions “See clients and cases” and “Read the safeguarding record” first.",
      },
    });
  }
  expect(await practice.api.safeguarding.officer.query()).toMatchObject({ userId: null, mayRead: false, named: [] });
});

test("S70: a suspicion: when it is written, the officer has a task that tells nothing of it, and nobody else has one", async () => {
  const { practice, theCase, author, officer } = await aHouse();
  const other = await aPerson(practice);
  const unprivileged = await aPerson(practice, WITHOUT);
  await nameOfficer(practice, officer.userId);
  const before = await Promise.all([practice, author, other, unprivileged].map(({ api }) => tasksOf(api)));
  const suspicion = suspicionIn(theCase.id);
  const kept = await author.api.safeguarding.add.mutate(suspicion);
  expect(kept.isForAuthorAlone).toBe(false);
  expect(await author.api.safeguarding.add.mutate(suspicion)).toEqual(kept);
  const tasks = (await tasksOf(officer.api)).filter(({ title }) => title === TITLE);
  expect(tasks).toMatchObject([
    { dueOn: dayIn("Europe/London", new Date()), caseId: theCase.id, clientId: null, clientName: "" },
  ]);
  expect(JSON.stringify(tasks)).not.toMatch(/cash|suspic|proceeds/i);
  expect(await Promise.all([practice, author, other, unprivileged].map(({ api }) => tasksOf(api)))).toEqual(before);
  for (const { clientId } of theCase.parties)
    expect(JSON.stringify(await practice.api.timeline.list.query({ clientId }))).not.toContain(TITLE);
  // It says no more than to read: whoever read it closes it.
  expect(await officer.api.tasks.setStatus.mutate({ id: tasks[0]?.id ?? "", status: "done" })).toMatchObject({
    status: "done",
  });
});

test("a suspicion: when the officer writes it, or it is a concern, then nobody is asked to read it", async () => {
  const { practice, theCase, author, officer } = await aHouse();
  await nameOfficer(practice, officer.userId);
  expect(await officer.api.safeguarding.add.mutate(suspicionIn(theCase.id))).toMatchObject({ isForAuthorAlone: false });
  expect(await author.api.safeguarding.add.mutate(anEntry(theCase.id))).toMatchObject({ isForAuthorAlone: false });
  expect((await tasksOf(officer.api)).filter(({ title }) => title === TITLE)).toEqual([]);
});

test("a suspicion: when nobody is the officer, then it is kept, and its author is told that they alone read it", async () => {
  const { practice, theCase, author } = await aHouse();
  const { id, isForAuthorAlone } = await author.api.safeguarding.add.mutate(suspicionIn(theCase.id));
  expect(isForAuthorAlone).toBe(true);
  expect((await author.api.safeguarding.list.query({ caseId: theCase.id })).items).toMatchObject([{ id }]);
  expect((await tasksOf(practice.api)).filter(({ title }) => title === TITLE)).toEqual([]);
});

test("safeguarding.setOfficer: when suspicions were written before, then whoever is named is asked once to read each case of others’", async () => {
  const { practice, theCase, author, officer } = await aHouse();
  const { theCase: second } = await aCase(practice);
  const { theCase: own } = await aCase(practice);
  for (const { id } of [theCase, theCase, second]) await author.api.safeguarding.add.mutate(suspicionIn(id));
  await author.api.safeguarding.add.mutate(anEntry(own.id));
  await officer.api.safeguarding.add.mutate(suspicionIn(own.id));
  await nameOfficer(practice, officer.userId);
  await nameOfficer(practice, officer.userId);
  const asked = (await tasksOf(officer.api)).filter(({ title }) => title === TITLE);
  expect(asked.map(({ caseId }) => caseId ?? "").toSorted()).toEqual([theCase.id, second.id].toSorted());
  await nameOfficer(practice, practice.ownerId);
  expect((await tasksOf(practice.api)).filter(({ title }) => title === TITLE)).toHaveLength(3);
});

test.each<[string, (practice: TestPractice, officer: Awaited<ReturnType<typeof aPerson>>) => Promise<unknown>]>([
  ["lost the permission", (practice, officer) => setPermissions(practice, officer, WITHOUT)],
  ["was suspended", ({ api }, { userId }) => api.staff.suspend.mutate({ id: userId })],
])(
  "the officer: when they %s, then whoever names them and whoever writes a suspicion see that nobody may read it",
  async (_what, happens) => {
    const { practice, theCase, author, officer } = await aHouse();
    await nameOfficer(practice, officer.userId);
    await happens(practice, officer);
    for (const { api } of [practice, author])
      for (const caseId of [null, theCase.id])
        expect(await api.safeguarding.officer.query({ caseId })).toMatchObject({
          userId: officer.userId,
          name: "Tom Birch",
          mayRead: false,
        });
    expect(await author.api.safeguarding.add.mutate(suspicionIn(theCase.id))).toMatchObject({ isForAuthorAlone: true });
    expect((await refusal(nameOfficer(practice, officer.userId))).code).toBe("BAD_REQUEST");
  },
);

test("the officer: who sees only their own cases, then of another's it is told that nobody may read", async () => {
  const { practice, theCase, author } = await aHouse();
  const { userId } = await aPerson(practice, [...RECORD, "assigned_only"]);
  await nameOfficer(practice, userId);
  expect(await author.api.safeguarding.officer.query({ caseId: theCase.id })).toMatchObject({ userId, mayRead: false });
  expect(await author.api.safeguarding.add.mutate(suspicionIn(theCase.id))).toMatchObject({ isForAuthorAlone: true });
  const stranger = await aPractice(app);
  expect(await refusal(stranger.api.safeguarding.officer.query({ caseId: theCase.id }))).toMatchObject({
    code: "NOT_FOUND",
  });
});
