// What whoever commissioned a mediation is told of it.
import { newId } from "@app/server/core/ids";
import { caseValuesOf } from "@app/server/features/compose/compose-case-values";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { aMediatedCase } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aPractice, scopeOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

test("case.takesPlace: when only one side came to the sessions of a case that ended, then mediation did not take place; with both it did", async () => {
  const { theCase, p1, p2 } = await aMediatedCase(practice);
  const { sessions, cases } = practice.api;
  const { id } = await sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: null });
  const mark = (partyId: string, state: "present" | "no_show") =>
    sessions.setAttendance.mutate({ id, changeId: newId(), partyId, state });
  await mark(p1.partyId, "present");
  await mark(p2.partyId, "no_show");
  await sessions.move.mutate({ id, changeId: newId(), to: "ended" });
  await mongoose.connection
    .collection<{ _id: string }>("cases")
    .updateOne({ _id: theCase.id }, { $set: { status: "terminated" } });
  const told = async () => {
    const ended = await cases.get.query({ id: theCase.id });
    const values = await caseValuesOf(scopeOf(practice.ownerId), ended, p1, new Date());
    return values["case.takesPlace"];
  };
  expect(await told()).toBe("Mediation does not take place");
  await mark(p2.partyId, "present");
  expect(await told()).toBe("Mediation took place");
});

/** What a letter says now of the case in which this party was moved there. */
async function saidAfter({ to, isHeld }: { to: "withdrawn" | "not_suitable" | null; isHeld: boolean }) {
  const { theCase, p1, p2 } = await aMediatedCase(practice);
  const { sessions, cases, casework } = practice.api;
  const { id: caseId } = theCase;
  if (isHeld) {
    const { id } = await sessions.start.mutate({ id: newId(), caseId, meetingId: null });
    for (const { partyId } of [p1, p2])
      await sessions.setAttendance.mutate({ id, changeId: newId(), partyId, state: "present" });
    await sessions.move.mutate({ id, changeId: newId(), to: "ended" });
  }
  if (to) {
    const { version } = await cases.get.query({ id: caseId });
    const step = { id: caseId, version, partyId: p2.partyId, to, on: new Date().toISOString().slice(0, 10) };
    const isOwnDecision = to === "withdrawn" ? true : null;
    await casework.moveParty.mutate({ ...step, reason: "Said so", isOwnDecision });
  }
  const now = await cases.get.query({ id: caseId });
  const values = await caseValuesOf(scopeOf(practice.ownerId), now, p1, new Date());
  return [now.status, values["case.takesPlace"]];
}

test.each([
  ["two sides mediate, and nothing was held yet", { to: null, isHeld: false }, "in_mediation", "Mediation takes place"],
  ["one withdrew before anything was held", { to: "withdrawn", isHeld: false }, "paused", undefined],
  ["one is not safe before anything was held", { to: "not_suitable", isHeld: false }, "paused", undefined],
  ["one withdrew after a session", { to: "withdrawn", isHeld: true }, "paused", "Mediation took place"],
] as const)("case.takesPlace: when %s, it says no more than is so", async (_when, ways, status, words) => {
  expect(await saidAfter(ways)).toEqual([status, words]);
});
