import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import type { CaseStatus, PartyStatus } from "@app/shared/case-states";
import { CASE_DOMAINS } from "@app/shared/case-transitions";
import type { Case } from "@app/shared/cases";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { aCase, aClient, aMeetingInput, aPractice } from "../support/server/people.ts";
import { mayContact } from "../support/server/contactable.ts";
import { at, DAY, OUTCOME, stepping } from "../support/server/stepping.ts";
import { TODAY } from "../support/server/led.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const { decide, move, invite, moveParty, correct, standing } = stepping(practice);

describe("ways back", () => {
  test.each<[CaseStatus, CaseStatus, PartyStatus]>([
    ["not_proceeding", "intake", "suitable"],
    ["not_proceeding", "assessing", "suitable"],
    ["assessing", "ready", "suitable"],
    ["terminated", "assessing", "miam_attended"],
    ["ready", "assessing", "suitable"],
    ["ready", "not_proceeding", "suitable"],
    ["paused", "concluded", "done"],
    ["paused", "terminated", "active"],
    ["enquiry", "not_proceeding", "suitable"],
  ])("%s: when it goes on to %s, then it may, with its reason in the record", async (from, to, parties) => {
    const before: PartyStatus = from === "terminated" || from === "paused" ? "active" : "suitable";
    const moved = await move(await standing(from, [before, before]), to);
    expect(moved).toMatchObject({ status: to, reason: "As it is" });
    expect(moved.parties.map(({ status }) => status)).toEqual([parties, parties]);
  });

  test.each(["concluded", "closed"] as const)(
    "a case that is %s: when it comes back, then its parties are assessed and sign anew",
    async (from) => {
      const back = await move(await standing(from, ["done", "done"], { isScreened: false }), "assessing");
      expect(back.parties.map(({ status }) => status)).toEqual(["miam_attended", "miam_attended"]);
      expect(await refusal(move(back, "ready"))).toMatchObject({
        code: "PRECONDITION_FAILED",
        message: expect.stringContaining("Complete the screening of P1."),
      });
    },
  );

  test("a case that ends early: when how it ended is not chosen, then it does not end", async () => {
    const theCase = await standing("assessing", ["suitable", "suitable"]);
    const input = { ...at(theCase), to: "not_proceeding" as const, reason: "Silence", ending: null };
    expect(await refusal(practice.api.casework.move.mutate(input))).toMatchObject({
      fields: { ending: expect.any(String) },
    });
    expect(await move(theCase, "not_proceeding")).toMatchObject({ ending: "other" });
  });

  test.each([
    ["died", ["suitable", "withdrawn"], ["suitable", "died"]],
    ["withdrew", ["suitable", "no_response"], ["withdrawn", "suitable"]],
    ["refused", ["suitable", "invited"], ["suitable", "refused"]],
    ["not_safe", ["suitable", "withdrawn"], ["suitable", "not_suitable"]],
    ["no_answer", ["suitable", "responded"], ["suitable", "no_response"]],
    ["no_answer", ["suitable", "withdrawn"], ["miam_missed", "suitable"]],
  ] as const)(
    "a case that ends because somebody %s: when that is recorded of nobody, then it does not end so",
    async (ending, without, withIt) => {
      const end = (theCase: Case) =>
        practice.api.casework.move.mutate({ ...at(theCase), to: "not_proceeding", reason: "They rang", ending });
      const refused = await refusal(end(await standing("assessing", [...without])));
      expect(refused.fields).toEqual({ ending: expect.stringContaining("Nobody in this case is recorded as") });
      expect(await end(await standing("assessing", [...withIt]))).toMatchObject({ ending });
    },
  );
});

test.each(CASE_DOMAINS)(
  "ready, in a case of the kind %s: when somebody was not screened, then it waits",
  async (domain) => {
    const theCase = await standing("assessing", ["suitable", "suitable"], { isScreened: false, domain });
    expect(await refusal(move(theCase, "ready"))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: "Complete the screening of P1. Complete the screening of P2.",
    });
  },
);

test.each([
  ["family", "P2 has not attended their MIAM."],
  ["workplace", "P2 has not attended their individual meeting."],
  ["civil", null],
] as const)(
  "ready, in a case of the kind %s: when somebody was screened and came to no first meeting: %s",
  async (domain, told) => {
    const theCase = await standing("assessing", ["suitable", "intake_done"], { domain });
    const moved = move(theCase, "ready");
    if (told === null) expect(await moved).toMatchObject({ status: "ready" });
    else expect(await refusal(moved)).toMatchObject({ code: "PRECONDITION_FAILED", message: told });
  },
);

test("an agreement: when its party was not screened, then they do not sign", async () => {
  const theCase = await standing("assessing", ["suitable", "suitable"], { isScreened: false });
  expect(await refusal(moveParty(theCase, 1, "agreement_signed"))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: "Complete the screening of P2.",
  });
});

test.each([
  [{ code: "agreed_all", issues: [{ label: "The house", kind: "property_finance", result: "not_agreed" }] }, "issues"],
  [{ code: "not_agreed", issues: [{ label: "The house", kind: "property_finance", result: "agreed" }] }, "issues"],
  [{ code: "agreed_all", issues: [] }, "issues"],
  [
    { code: "agreed_not_written", issues: [{ label: "The house", kind: "property_finance", result: "agreed" }] },
    "isWrittenUp",
  ],
] as const)(
  "an outcome: when it says %j of a case that was written up, then it is refused at %s",
  async (said, field) => {
    const theCase = await standing("in_mediation", ["active", "active"]);
    const outcome = { ...OUTCOME, ...said, isWrittenUp: true, issues: [...said.issues] };
    const concluding = practice.api.casework.move.mutate({ ...at(theCase), to: "concluded", reason: "", outcome });
    expect(await refusal(concluding)).toMatchObject({ fields: { [field]: expect.any(String) } });
  },
);

test("a pause: when nobody says why, then the case is not paused", async () => {
  const theCase = await standing("in_mediation", ["active", "active"]);
  const pause = (reason: string) => practice.api.casework.move.mutate({ ...at(theCase), to: "paused", reason });
  expect(await refusal(pause(""))).toMatchObject({ fields: { reason: "Say why." } });
  expect(await pause("They wait for a valuation")).toMatchObject({ status: "paused" });
});

test("a family case in intake: when both sides asked for it, then it is assessed at once", async () => {
  const theCase = await standing("intake", ["suitable", "suitable"]);
  await CaseModel.updateOne(
    { _id: theCase.id, ownerId: practice.ownerId },
    { $set: { "parties.$[].role": "initiator" } },
  );
  expect(await move(theCase, "assessing")).toMatchObject({ status: "assessing" });
});

test("a family case in intake: when the other has answered, then it is assessed at once, and not before", async () => {
  const theCase = await standing("intake", ["intake_done", "invited"]);
  expect(await refusal(move(theCase, "assessing"))).toMatchObject({ message: "Nobody else has answered yet." });
  expect(await move(await moveParty(theCase, 1, "responded"), "assessing")).toMatchObject({ status: "assessing" });
});

test("a case that did not proceed: when it is reopened, then it stands where it stood, and nowhere else", async () => {
  const { theCase } = await aCase(practice);
  const closed = await move(theCase, "not_proceeding");
  expect((await practice.api.casework.steps.query({ id: theCase.id })).items).toMatchObject([{ to: "enquiry" }]);
  expect(await refusal(move(closed, "assessing"))).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect(await move(closed, "enquiry")).toMatchObject({ status: "enquiry", ending: null });
});

test.each(["civil", "community", "workplace"] as const)(
  "a case of the kind %s that comes back: when nobody came to a first meeting, then nobody is said to have",
  async (domain) => {
    const ended = await standing("terminated", ["done", "active"], { domain });
    const none = domain === "workplace" ? "miam_attended" : "intake_done";
    const back = await move(ended, "assessing");
    expect(back.parties.map(({ status, miamOn }) => [status, miamOn])).toEqual([
      [none, ""],
      [none, ""],
    ]);
    const taken = await correct(back);
    expect(taken.parties.map(({ status }) => status)).toEqual(["done", "active"]);
  },
);

test("a party who is back: when they attended their first meeting before, then they have, on that day, and it is kept once", async () => {
  const stood = await standing("assessing", ["miam_booked", "suitable"]);
  const attended = await moveParty(stood, 0, "miam_attended");
  const partyId = attended.parties[0]?.partyId ?? "";
  const on = new Date().toISOString().slice(0, 10);
  const today = (theCase: Case, to: "withdrawn" | "responded" | "miam_attended") =>
    practice.api.casework.moveParty.mutate({ ...at(theCase), partyId, to, on, reason: "As it is" });
  const again = await today(await today(await today(attended, "withdrawn"), "responded"), "miam_attended");
  // What was found of them before they left is asked again.
  expect(again.parties[0]).toMatchObject({ status: "miam_attended", miamOn: DAY });
  const { items } = await practice.api.assessments.list.query({ caseId: stood.id });
  expect(items).toHaveLength(1);
});

describe("what was handed out at the end", () => {
  const concluding = (theCase: Case, partyIds: string[]) =>
    practice.api.casework.move.mutate({
      ...at(theCase),
      to: "concluded",
      reason: "They settled by letter",
      outcome: {
        ...OUTCOME,
        issues: [],
        isWrittenUp: true,
        documents: [{ kind: "memorandum", partyIds, fileId: "", isMadeOutside: true }],
        isAdviceTold: true,
      },
    });

  test("documents: when they went to parties of the case, then it says to whom, and that advice was told of", async () => {
    const theCase = await standing("in_mediation", ["active", "active"]);
    const partyIds = theCase.parties.map(({ partyId }) => partyId);
    const { outcome } = await concluding(theCase, partyIds);
    expect(outcome).toMatchObject({
      documents: [{ kind: "memorandum", partyIds }],
      isAdviceTold: true,
    });
  });

  test("documents: when they went to somebody who is no party, then that is refused", async () => {
    const theCase = await standing("in_mediation", ["active", "active"]);
    expect(await refusal(concluding(theCase, ["nobody"]))).toMatchObject({
      fields: { documents: "Choose parties of this case who signed the agreement to mediate." },
    });
  });

  test("documents: when a case ended before they were asked for, then it is read without any", async () => {
    const theCase = await move(await standing("in_mediation", ["active", "active"]), "concluded");
    const stored = mongoose.connection.collection<{ _id: string; outcome: object }>("cases");
    await stored.updateOne({ _id: theCase.id }, { $set: { outcome: OUTCOME } });
    const { outcome } = await practice.api.cases.get.query({ id: theCase.id });
    expect(outcome).toMatchObject({ documents: [], isAdviceTold: false });
  });
});

describe("sides", () => {
  test("grandparents: when both stand on one side alone, then there is no mediation to be ready for", async () => {
    const together = await standing("assessing", ["suitable", "suitable"], { sides: ["Grandparents", "grandparents"] });
    expect(await refusal(move(together, "ready"))).toMatchObject({
      message: expect.stringContaining("At least two sides must take part."),
    });
  });

  test("mediation: when one of two sides leaves, then it is paused at once, and its history says why", async () => {
    const theCase = await standing("in_mediation", ["active", "active"]);
    const left = await moveParty(theCase, 1, "withdrawn");
    expect(left).toMatchObject({ status: "paused", reason: "Fewer than two sides take part." });
    expect(await refusal(move(left, "in_mediation"))).toMatchObject({ code: "PRECONDITION_FAILED" });
    const { items } = await practice.api.timeline.list.query({ caseId: theCase.id, page: 1 });
    expect(items.map(({ text }) => text)).toContain("Fewer than two sides take part: case moved to Paused");
  });

  test("ready: when one of two sides withdraws, then the case is assessed again", async () => {
    const left = await moveParty(await standing("ready", ["agreement_signed", "agreement_signed"]), 0, "withdrawn");
    expect(left.status).toBe("assessing");
  });
});

test("a party who joins later: when the conflict check does not know them, then they and the case wait for it", async () => {
  const theCase = await standing("assessing", ["suitable", "suitable"]);
  const third = await practice.api.clients.create.mutate(aClient());
  const joined = await practice.api.casework.addParty.mutate({
    ...at(theCase),
    changeId: newId(),
    party: { clientId: third.id, role: "respondent", side: "" },
  });
  const told = { code: "PRECONDITION_FAILED", message: expect.stringContaining("Decide the conflict check") };
  expect(await refusal(invite(joined, 2, TODAY))).toMatchObject(told);
  expect(await refusal(move(joined, "ready"))).toMatchObject(told);
  await decide(theCase.id);
  await mayContact(theCase);
  expect((await invite(joined, 2)).parties[2]).toMatchObject({ status: "invited" });
});

describe("a wrong step", () => {
  test("a case: when its step is taken back, then it stands as before, with its parties, and the history has both", async () => {
    const theCase = await standing("in_mediation", ["active", "active"]);
    const concluded = await move(theCase, "concluded");
    expect(concluded.parties.map(({ status }) => status)).toEqual(["done", "done"]);
    const back = await correct(concluded);
    expect(back).toMatchObject({ status: "in_mediation", outcome: null, concludedOn: "", lastStep: null });
    expect(back.parties.map(({ status }) => status)).toEqual(["active", "active"]);
    const { items } = await practice.api.timeline.list.query({ caseId: theCase.id, page: 1 });
    expect(items.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        "Corrected: case back from Concluded to In mediation (The wrong one)",
        "Case moved to Concluded",
      ]),
    );
    expect(await refusal(correct(back))).toMatchObject({ code: "PRECONDITION_FAILED" });
  });

  test("a closed case: when its reopening is taken back, then its outcome is there again", async () => {
    const concluded = await move(await standing("in_mediation", ["active", "active"]), "concluded");
    const back = await correct(await move(concluded, "closed"));
    expect(back).toMatchObject({ status: "concluded", outcome: OUTCOME, concludedOn: concluded.concludedOn });
  });

  test.each<[CaseStatus, CaseStatus, PartyStatus]>([
    ["ready", "in_mediation", "agreement_signed"],
    ["concluded", "assessing", "done"],
    ["closed", "assessing", "done"],
    ["terminated", "assessing", "active"],
    ["terminated", "assessing", "done"],
    ["in_mediation", "concluded", "active"],
  ])(
    "a case in %s: when its step to %s is taken back, then each party is %s again, as long as before",
    async (from, to, stood) => {
      const before = await standing(from, [stood, stood]);
      const moved = await move(before, to);
      expect(moved.parties.map(({ status }) => status)).not.toContain(stood);
      const { parties } = await correct(moved);
      const standings = (all: Case["parties"]) => all.map(({ status, statusSince }) => ({ status, statusSince }));
      expect(standings(parties)).toEqual(standings(before.parties));
    },
  );

  test("a case: when one of its parties went on since, then taking its step back leaves that one there", async () => {
    const moved = await move(await standing("terminated", ["active", "done"]), "assessing");
    const { parties } = await correct(await moveParty(moved, 0, "withdrawn"));
    expect(parties.map(({ status }) => status)).toEqual(["withdrawn", "done"]);
  });

  test("a step from before it was kept where parties stood: when that cannot be told, then it is not taken back", async () => {
    const forget = ({ id }: Case) =>
      mongoose.connection
        .collection<{ _id: string }>("cases")
        .updateOne({ _id: id }, { $unset: { "steps.$[].partiesBefore": "" } });
    const sentBack = await move(await standing("terminated", ["active", "done"]), "assessing");
    await forget(sentBack);
    expect(await refusal(correct(sentBack))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("Move the case on from here"),
    });
    const concluded = await move(await standing("in_mediation", ["active", "active"]), "concluded");
    await forget(concluded);
    expect((await correct(concluded)).parties.map(({ status }) => status)).toEqual(["active", "active"]);
  });

  test("a party: when their step is taken back, then its day goes too, and what came with the case stays", async () => {
    const { theCase } = await aCase(practice);
    const responded = await moveParty(theCase, 0, "responded");
    const [first] = (await correct(responded, theCase.parties[0]?.partyId)).parties;
    expect(first).toMatchObject({ status: "to_invite", respondedOn: "", lastStep: null });
    const active = await standing("in_mediation", ["active", "active"]);
    expect(await refusal(correct(active, active.parties[0]?.partyId))).toMatchObject({
      message: expect.stringContaining("Take the step of the case back instead."),
    });
  });
});

describe("a session", () => {
  const start = (caseId: string, meetingId: string | null = null) =>
    practice.api.sessions.start.mutate({ id: newId(), caseId, meetingId });
  let hour = 0;
  const book = (theCase: Case, type: "mediation" | "pre_meeting", indexes = [0, 1]) =>
    practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: theCase.id,
        type,
        partyIds: indexes.flatMap((index) => theCase.parties[index]?.partyId ?? []),
        startsAt: new Date(Date.UTC(2031, 4, 6) + (hour += 2) * 3_600_000).toISOString(),
      }),
    );

  test.each<[CaseStatus, PartyStatus, string]>([
    ["enquiry", "responded", "Finish the assessment of P1 and P2 first."],
    ["ready", "suitable", "P1 and P2 must sign the agreement to mediate first."],
    ["ready", "agreement_signed", "Move the case to “In mediation” first."],
    ["paused", "active", "This case is paused."],
  ])("of both: in %s with parties in %s, does not begin, and can be prepared", async (status, parties, says) => {
    const { id: caseId } = await standing(status, [parties, parties]);
    const told = { code: "PRECONDITION_FAILED", message: expect.stringContaining(says) };
    expect(await refusal(start(caseId))).toMatchObject(told);
    const prepared = await practice.api.sessions.create.mutate({ id: newId(), caseId, meetingId: null });
    const begin = { changeId: newId(), id: prepared.id, to: "in_progress" as const };
    expect(await refusal(practice.api.sessions.move.mutate(begin))).toMatchObject(told);
    await CaseModel.updateOne(
      { _id: caseId, ownerId: practice.ownerId },
      { $set: { status: "in_mediation", "parties.$[].status": "active" } },
    );
    expect((await practice.api.sessions.move.mutate(begin)).status).toBe("in_progress");
    const { version } = await practice.api.cases.get.query({ id: caseId });
    const outcome = { ...OUTCOME, issues: [] };
    const over = { id: caseId, version, to: "terminated" as const, ending: "other" as const, reason: "P1", outcome };
    expect(await refusal(practice.api.casework.move.mutate(over))).toMatchObject({
      message: expect.stringContaining("Session 1 is under way"),
    });
  });

  test("of a concluded case: is neither prepared nor begun", async () => {
    const { id: caseId } = await standing("concluded", ["done", "done"]);
    const wish = { id: newId(), caseId, meetingId: null };
    const told = { code: "PRECONDITION_FAILED", message: expect.stringContaining("This case is over.") };
    expect(await refusal(practice.api.sessions.create.mutate(wish))).toMatchObject(told);
    expect(await refusal(practice.api.sessions.start.mutate(wish))).toMatchObject(told);
  });

  test("of one side, or at a pre-meeting of one: begins before mediation, once the conflict check is decided", async () => {
    const { theCase } = await aCase(practice, {}, { isCleared: false });
    const meetings = [await book(theCase, "mediation", [0]), await book(theCase, "pre_meeting", [1])];
    const told = { code: "PRECONDITION_FAILED", message: expect.stringContaining("Decide the conflict check") };
    for (const { id } of meetings) expect(await refusal(start(theCase.id, id))).toMatchObject(told);
    await decide(theCase.id);
    for (const meeting of meetings) {
      const { id, status } = await start(theCase.id, meeting.id);
      expect(status).toBe("in_progress");
      await practice.api.sessions.move.mutate({ id, changeId: newId(), to: "ended" });
    }
  });

  test.each(["enquiry", "paused"] as const)(
    "of two sides at a pre-meeting: in %s it waits for what mediation waits for",
    async (status) => {
      const theCase = await standing(status, ["suitable", "suitable"]);
      const { id } = await book(theCase, "pre_meeting");
      expect((await refusal(start(theCase.id, id))).message).toMatch(/Mediation has not begun yet|This case is paused/);
    },
  );

  test("a joint mediation: is booked once the conflict check of those who come is decided", async () => {
    const { theCase } = await aCase(practice, {}, { isCleared: false });
    const told = { code: "PRECONDITION_FAILED", message: expect.stringContaining("Decide the conflict check") };
    expect(await refusal(book(theCase, "mediation"))).toMatchObject(told);
    await decide(theCase.id);
    await book(theCase, "mediation");
    const { version } = await practice.api.cases.get.query({ id: theCase.id });
    const third = await practice.api.clients.create.mutate(aClient());
    const joined = await practice.api.casework.addParty.mutate({
      ...at({ ...theCase, version }),
      changeId: newId(),
      party: { clientId: third.id, role: "respondent", side: "" },
    });
    expect((await book(joined, "mediation", [0, 1])).status).toBe("booked");
    expect(await refusal(book(joined, "mediation", [0, 2]))).toMatchObject(told);
  });
});

test("a withdrawal: when it is said whose decision it was, then the party keeps it, and nothing else takes it", async () => {
  const theCase = await standing("assessing", ["suitable", "suitable"]);
  const leave = { ...at(theCase), partyId: theCase.parties[1]?.partyId ?? "", on: DAY, reason: "So it is" };
  const { moveParty: send } = practice.api.casework;
  expect(await refusal(send.mutate({ ...leave, to: "no_response", isOwnDecision: true }))).toMatchObject({
    fields: { isOwnDecision: expect.any(String) },
  });
  const left = await send.mutate({ ...leave, to: "withdrawn", isOwnDecision: false });
  expect(left.parties[1]).toMatchObject({ status: "withdrawn", lastStep: { isOwnDecision: false } });
});

test.each(["withdrawn", "refused", "no_response"] as const)(
  "%s: when it is recorded later, then the day on which it was said is kept and told, and they are out from its recording",
  async (to) => {
    const theCase = await standing("assessing", ["suitable", "suitable"]);
    const begun = new Date().toISOString();
    const left = await moveParty(theCase, 1, to);
    expect(left.parties[1]).toMatchObject({ status: to, lastStep: { on: DAY } });
    expect((left.parties[1]?.leftAt ?? "") >= begun).toBe(true);
    const { items } = await practice.api.timeline.list.query({ caseId: theCase.id, page: 1 });
    expect(items.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^P2: .*, on 5 January 2026$/));
  },
);
