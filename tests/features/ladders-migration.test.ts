import { createLogger } from "@app/server/core/logger";
import { attemptsOfInvited, attemptsWithoutRungs } from "@app/server/features/ladders/ladders.migration";
import mongoose from "mongoose";
import { expect, test } from "vitest";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const log = createLogger("silent");
const cases = () => mongoose.connection.collection<{ _id: string }>("cases");

test("attemptsOfInvited: when invitations stand in their case, then each becomes one attempt that makes nothing up, however often it runs", async () => {
  const { theCase, p2 } = await aCase(practice);
  // Late in the evening in summer it is the next day in London.
  const invited = [
    { at: new Date("2026-06-01T23:30:00Z"), channel: "email" },
    { at: new Date("2026-06-12T09:00:00Z"), channel: "post" },
    { at: new Date("2026-06-20T09:00:00Z"), channel: "phone" },
    { at: new Date("2026-06-25T09:00:00Z"), channel: "phone" },
  ];
  const invite = { "parties.1.invited": invited, "parties.1.status": "invited", "parties.0.invited": [] };
  const before = () => cases().updateOne({ _id: theCase.id }, { $set: invite });
  await before();
  await attemptsOfInvited(log);
  // It ended between its two steps, and is begun again.
  await before();
  await attemptsOfInvited(log);
  const { attempts } = await practice.api.casework.invitations.query({ id: theCase.id });
  const unmade = {
    replyBy: "",
    wording: "",
    madeByName: "",
    isTakenBack: false,
    isAnswered: false,
    cameBackOn: "",
    delivery: null,
  };
  const unasked = { againstBecause: "", call: "", insteadBecause: "", struckBecause: "", unmet: [], unmetBecause: "" };
  const unknown = { partyId: p2.partyId, ...unmade, ...unasked };
  expect(attempts.map(({ id: _id, ...rest }) => rest)).toEqual([
    { ...unknown, on: "2026-06-02", channel: "email" },
    { ...unknown, on: "2026-06-12", channel: "post" },
    { ...unknown, on: "2026-06-20", channel: "phone" },
    { ...unknown, on: "2026-06-25", channel: "phone" },
  ]);
  expect(await cases().countDocuments({ "parties.invited": { $exists: true } })).toBe(0);
  expect((await practice.api.tasks.list.query({ caseId: theCase.id })).items).toEqual([]);
});

test("attemptsWithoutRungs: when attempts say which step they took, then it follows from their channels and days from now on, and of a call nobody knows whom it reached", async () => {
  const { theCase, p2 } = await aCase(practice);
  await cases().updateOne(
    { _id: theCase.id },
    { $set: { "parties.1.invited": [{ at: new Date(), channel: "phone" }] } },
  );
  await attemptsOfInvited(log);
  const stored = mongoose.connection.collection("invitation_attempts");
  const before = { $set: { rung: 1 }, $unset: { call: "", insteadBecauseEnc: "", struckBecauseEnc: "" } };
  await stored.updateOne({ caseId: theCase.id }, before);
  for (const _twice of [1, 2]) await attemptsWithoutRungs(log);
  const doc = await stored.findOne({ caseId: theCase.id });
  expect(doc).toMatchObject({ partyId: p2.partyId, call: "", insteadBecauseEnc: null, struckBecauseEnc: null });
  expect(doc).not.toHaveProperty("rung");
});
