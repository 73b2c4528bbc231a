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
