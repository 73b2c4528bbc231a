// What creates or sends is done once for each id that its sender chose, and a repeated call is answered as a look is.
import { newId } from "@app/server/core/ids";
import { stopJobs } from "@app/server/core/jobs";
import { PERMISSIONS } from "@app/shared/access";
import mongoose from "mongoose";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { call, doorOf } from "../support/access/access-scenario.ts";
import { aTarget } from "../support/access/access-target.ts";
import type { Target } from "../support/access/door.ts";
import { inputUnder, NOT_ONCE, ONCE, ONCE_ELSEWHERE, otherUnder } from "../support/access/once-table.ts";
import { aClient, aPractice, aStaffUser, type TestPerson, type TestPractice } from "../support/server/people.ts";
import { pathsOf } from "../support/access/procedures.ts";
import { lineOf, putBack, type Snapshot, takeSnapshot } from "../support/server/stored.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const AT_ONCE = 10;
const paths = Object.keys(ONCE);

let practice: TestPractice;
let target: Target;
let colleague: TestPerson;
let other: TestPractice;
let otherTarget: Target;
let asMade: Snapshot;
const app = forAllTests(startTestApp);
beforeAll(async () => {
  await stopJobs();
  practice = await aPractice(app);
  target = await ready(await aTarget(app, practice), practice);
  colleague = await aStaffUser(app, practice, {
    role: 2,
    permissions: PERMISSIONS.filter((each) => each !== "assigned_only"),
  });
  other = await aPractice(app);
  otherTarget = await ready(await aTarget(app, other), other);
  asMade = await takeSnapshot();
});
beforeEach(() => putBack(asMade));

/** The answer without its headers, which tell the time. */
async function ask(person: TestPerson, path: string, input: unknown) {
  const { code, text } = await call(app, person, path, input);
  return { code, text: text.slice(text.indexOf("\n\n")) };
}

/** Whom the case has room for. */
const newParties = new Map<string, string>();

async function ready(made: Target, { api }: TestPractice): Promise<Target> {
  const { id } = await api.clients.create.mutate(aClient({ firstName: "Another" }));
  newParties.set(made.caseId, id);
  return made;
}

const collection = (name: string) => mongoose.connection.collection<{ _id: string }>(name);

/** What has to be so before a call can be made. */
async function prepare(path: string, { mailId, sessionId, fileId, caseId }: Target): Promise<void> {
  if (path === "files.release") await collection("files").updateOne({ _id: fileId }, { $set: { caseId } });
  if (path === "outbox.retry")
    await collection("email_messages").updateOne({ _id: mailId }, { $set: { state: "failed" } });
  if (path === "sessions.amend")
    await collection("sessions").updateOne({ _id: sessionId }, { $set: { status: "locked" } });
  if (path === "sessions.setTimes" || path === "sessions.start")
    await collection("sessions").updateOne({ _id: sessionId }, { $set: { status: "ended" } });
}

/** A valid input; for what the table of doors cannot say. */
function under(path: string, here: Target, id: string) {
  const input = inputUnder(path, here, id);
  if (path !== "casework.addParty") return input;
  return { ...input, party: { clientId: newParties.get(here.caseId), role: "respondent", side: "" } };
}

const BESIDE = new Set(["rate_limits", "form_tokens", "auth_sessions", "calendar_locks"]);

/** All that is stored, without what is random: ids, times and what is encrypted. */
const shapes = (snapshot: Snapshot): string[] =>
  snapshot
    .filter(({ collection: name }) => !BESIDE.has(name))
    .map((one) =>
      lineOf(one)
        .replace(/[\w-]{20,}/g, "*")
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "*"),
    )
    .toSorted();

test("once: every change, when there is one, is done once or known to need no id", () => {
  const known = [...paths, ...ONCE_ELSEWHERE, ...Object.keys(NOT_ONCE)].toSorted();
  expect(pathsOf("mutation").toSorted()).toEqual(known);
});

test.each(paths)("S76: %s, sent again with the same id, is done once and answered alike", async (path) => {
  await prepare(path, target);
  const input = under(path, target, newId());
  const first = await ask(practice, path, input);
  expect(first).toMatchObject({ code: "OK" });
  const after = shapes(await takeSnapshot());
  expect(await ask(practice, path, input)).toEqual(first);
  expect(shapes(await takeSnapshot())).toEqual(after);
});

test.each(paths)("S76: %s, sent ten times at once, is done once and answered alike", async (path) => {
  await prepare(path, target);
  const id = newId();
  await ask(practice, path, under(path, target, id));
  const wanted = shapes(await takeSnapshot());
  await putBack(asMade);
  await prepare(path, target);
  const input = under(path, target, id);
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(practice, path, input)));
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => "OK"));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(shapes(await takeSnapshot())).toEqual(wanted);
});

test.each(paths)("S76: %s, under an id of other content or of somebody else, is refused", async (path) => {
  await prepare(path, target);
  const id = newId();
  const input = under(path, target, id);
  await ask(practice, path, input);
  const after = shapes(await takeSnapshot());
  const refusals = [
    await ask(practice, path, otherUnder(path, target, id)),
    await ask(practice, "tasks.create", { ...inputUnder("tasks.create", target, id), title: "Another thing" }),
    ...(doorOf(path).access === "owner" ? [] : [await ask(colleague, path, input)]),
  ];
  expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => "CONFLICT"));
  expect(new Set(refusals.map(({ text }) => /"message":"([^"]*)"/.exec(text)?.[1])).size).toBe(1);
  expect(shapes(await takeSnapshot())).toEqual(after);
});

test.each(paths)("S76: %s, under an id that another practice uses, is done and tells nothing of it", async (path) => {
  await prepare(path, target);
  await prepare(path, otherTarget);
  const id = newId();
  const first = await ask(practice, path, under(path, target, id));
  const before = (await takeSnapshot()).filter(({ document }) => document["ownerId"] === practice.ownerId).map(lineOf);
  const answer = await ask(other, path, under(path, otherTarget, id));
  expect([first.code, answer.code]).toEqual(["OK", "OK"]);
  expect(answer.text).not.toContain(practice.practiceName);
  const made = /"data":\{.*?"id":"([\w-]+)"/.exec(first.text)?.[1] ?? "nothing";
  expect(answer.text).not.toContain(made);
  const after = (await takeSnapshot()).filter(({ document }) => document["ownerId"] === practice.ownerId).map(lineOf);
  expect(after).toEqual(before);
});
