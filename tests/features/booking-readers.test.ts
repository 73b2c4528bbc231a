// Who of the practice reads what a visitor wrote when they booked.
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { beforeEach, expect, test } from "vitest";
import { bookAs, makeLink, SAM } from "../support/server/booked.ts";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aCase, aPractice, aStaffUser, aVisitor, meetingDetailsOf } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(() => forgetAttempts());

const questions = [{ label: "What is it about?", kind: "long" as const, isRequired: true }];
const answers = ["ANSWERCANARY"];

async function booked(mediatorId: string): Promise<string> {
  const link = await makeLink(practice, { questions, mediatorIds: [mediatorId] });
  await bookAs(aVisitor(app).api, link.publicId, { answers });
  const [meeting] = await MeetingModel.find({ ownerId: practice.ownerId }).lean();
  return meeting?._id ?? "";
}

const ALL = { person: SAM, answers: [{ label: "What is it about?", answer: "ANSWERCANARY" }] };
const ONLY_NAME = { person: { name: SAM.name, email: "", phone: "" }, answers: [] };

test.each([
  ["who may only read clients", ["clients.read"] as const, ONLY_NAME],
  ["who keeps the calendar", ["clients.read", "calendar.manage"] as const, ALL],
])(
  "meetings.get: what a visitor wrote, when a colleague %s looks, is shown as far as it is theirs",
  async (_who, permissions, shown) => {
    const id = await booked(practice.ownerId);
    const { api } = await aStaffUser(app, practice, { permissions: [...permissions] });
    expect((await api.meetings.get.query({ id })).visitor).toMatchObject(shown);
  },
);

test("meetings.get: what a visitor wrote, when whoever mediates it looks, is theirs to read", async () => {
  const { api } = await aStaffUser(app, practice, { role: 2, permissions: ["clients.read"] });
  const { user } = await api.auth.status.query();
  const id = await booked(user?.userId ?? "");
  expect((await api.meetings.get.query({ id })).visitor).toMatchObject(ALL);
});

test("meetings.get: what a party wrote when they booked, once another is the only one of the meeting, is not shown as theirs", async () => {
  const { theCase, p1, p2 } = await aCase(practice);
  const link = await makeLink(practice, { questions, clientId: p1.clientId, caseId: theCase.id });
  await bookAs(aVisitor(app).api, link.publicId, { answers, person: null });
  const [meeting] = await MeetingModel.find({ ownerId: practice.ownerId }).lean();
  const look = () => practice.api.meetings.get.query({ id: meeting?._id ?? "" });
  const withParties = async (partyIds: string[]) =>
    practice.api.meetings.update.mutate({ ...meetingDetailsOf(await look()), partyIds });
  await withParties([p1.partyId, p2.partyId]);
  expect((await look()).visitor).toMatchObject({ person: null, answers: ALL.answers });
  await withParties([p2.partyId]);
  expect((await look()).visitor).toBeNull();
});
