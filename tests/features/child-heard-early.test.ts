// A child is heard within mediation: not before it is agreed to, and not in a pause.
import { newId } from "@app/server/core/ids";
import type { CaseStatus, PartyStatus } from "@app/shared/case-states";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aFamily, bookChild } from "../support/server/heard-child.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

/** How far the case and its second parent have come. */
const standing = (caseId: string, status: CaseStatus, ofSecond: PartyStatus) =>
  mongoose.connection
    .collection<{ _id: string }>("cases")
    .updateOne({ _id: caseId }, { $set: { status, "parties.1.status": ofSecond } });

test.each<[CaseStatus, PartyStatus, string]>([
  ["enquiry", "active", "This case is an enquiry still"],
  ["paused", "active", "This case is paused"],
  ["assessing", "miam_booked", "Hold that of P2 first."],
  ["assessing", "suitable", "P2 must sign the agreement to mediate."],
])(
  "a meeting with a child: in a case that is %s, whose second parent is %s, is neither booked nor begun",
  async (status, ofSecond, says) => {
    const { theCase } = await aFamily(practice);
    const { id: meetingId } = await bookChild(practice, theCase.id);
    await standing(theCase.id, status, ofSecond);
    const refused = { code: "PRECONDITION_FAILED", message: expect.stringContaining(says) };
    expect(await refusal(bookChild(practice, theCase.id))).toMatchObject(refused);
    const begin = practice.api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId });
    expect(await refusal(begin)).toMatchObject(refused);
  },
);

test("a meeting with a child: when everybody came to their first meeting and signed, is booked before mediation begins", async () => {
  const { theCase } = await aFamily(practice);
  await standing(theCase.id, "ready", "agreement_signed");
  expect(await bookChild(practice, theCase.id)).toMatchObject({ status: "booked" });
});
