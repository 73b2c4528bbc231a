// What is asked in a screening, and what follows from it at once.
import { SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import type { CaseStatus, PartyStatus } from "@app/shared/case-states";
import { CASE_DOMAINS } from "@app/shared/case-transitions";
import { addDays, dayIn } from "@app/shared/days";
import { questionsOf, toolFor } from "@app/shared/screening-tools";
import { completeScreeningSchema } from "@app/shared/screenings";
import { encrypt } from "@app/server/core/crypto";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { anUnscreenedMiam, authorise } from "../support/server/assessments.ts";
import { aCase, aPractice, aStaffUser, type TestPractice } from "../support/server/people.ts";
import { aScreening, NOT_SAFE, told, withMeasures } from "../support/server/screened.ts";
import { toldToParty } from "../support/visibility/party-record.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

const byTitle = (one: { title: string }, other: { title: string }) => one.title.localeCompare(other.title);
const unscreened = (from: TestPractice = practice) => aCase(from, {}, { isScreened: false });
const stored = (name: string) => mongoose.connection.collection<{ _id: string; [field: string]: unknown }>(name);

/** Where the first party stands, as if they had come so far. */
const standing = (caseId: string, status: PartyStatus, more: Record<string, unknown> = {}) =>
  stored("cases").updateOne({ _id: caseId }, { $set: { "parties.0.status": status, ...more } });
const statusOf = async (caseId: string) => (await practice.api.cases.get.query({ id: caseId })).parties[0]?.status;

describe("what is asked", () => {
  test.each(CASE_DOMAINS)("a screening in a case of kind %s: without any one answer it is refused", (domain) => {
    const whole = aScreening({ id: "c", domain }, "p");
    const { id: _id, ...screening } = whole;
    expect(completeScreeningSchema.safeParse(screening).success).toBe(true);
    for (const { id } of questionsOf(toolFor(domain))) {
      const { [id]: _left, ...answers } = screening.answers;
      const { error } = completeScreeningSchema.safeParse({ ...screening, answers });
      expect(error?.issues).toMatchObject([{ path: ["answers", id], message: "Choose an answer" }]);
    }
  });

  test("screenings.complete: of an organisation it is said whom of its people was asked, and kept", async () => {
    const { theCase, p1, first } = await unscreened();
    await stored("clients").updateOne(
      { _id: first.id },
      { $set: { kind: "organisation", organisation: "Tern Homes" } },
    );
    const screen = (spokenWith: string) =>
      practice.api.screenings.complete.mutate({ ...aScreening(theCase, p1.partyId), spokenWith });
    const told = { fields: { spokenWith: "Name the person who takes part for them, whom you spoke with." } };
    expect(await refusal(screen(" "))).toMatchObject(told);
    expect(await refusal(screen("."))).toMatchObject(told);
    expect(await screen("Orla Finch, site manager")).toMatchObject({ spokenWith: "Orla Finch, site manager" });
    expect(JSON.stringify(await stored("screenings").find({}).toArray())).not.toContain("Orla Finch");
  });

  const answered = (answer: string, words = "") => ({ answers: { needs: { answer, words } } });
  test.each<[string, { answers?: object; [field: string]: unknown }, string, string]>([
    ["a choice", answered(""), "answers.needs.answer", "Choose an answer"],
    ["the words of a yes", answered("yes"), "answers.needs.words", "Write what was said"],
    ["the words of a doubt", answered("not_sure"), "answers.needs.words", "Write what was said"],
    ["why it was not asked", answered("not_asked"), "answers.needs.words", "Say why it was not asked"],
    ["reasons, though suitable", { reasons: " " }, "reasons", "Say why"],
    ["an outcome", { suitable: "" }, "suitable", "Choose what follows"],
    ["measures", { suitable: "yes_with_measures" }, "measures", "Choose at least one measure"],
    ["where they were pointed to", { suitable: "no" }, "signposted", "Say where you pointed this person to"],
    [
      "whether somebody was consulted",
      { consulted: { who: "", on: "", whyNot: "" } },
      "consulted.isConsulted",
      "Say whether somebody was consulted",
    ],
    [
      "who",
      { consulted: { isConsulted: true, who: "", on: "2026-01-05", whyNot: "" } },
      "consulted.who",
      "Say who was consulted",
    ],
    ["when", { consulted: { isConsulted: true, who: "Ruth", on: "", whyNot: "" } }, "consulted.on", "Enter the day"],
    [
      "why nobody",
      { consulted: { isConsulted: false, who: "", on: "", whyNot: "" } },
      "consulted.whyNot",
      "Say why nobody was consulted",
    ],
  ])("a screening: without %s it is refused at that field", (_what, change, path, message) => {
    const { id: _id, ...screening } = aScreening({ id: "c", domain: "family" }, "p");
    const wrong = { ...screening, ...change, answers: { ...screening.answers, ...change.answers } };
    const { error } = completeScreeningSchema.safeParse(wrong);
    expect(error?.issues.map((issue) => [issue.path.join("."), issue.message])).toEqual([[path, message]]);
  });

  test("screenings.complete: with the questions of another kind of case, it is refused and none is kept", async () => {
    const { theCase, p1 } = await unscreened();
    const sent = aScreening({ id: theCase.id, domain: "workplace" }, p1.partyId);
    expect(await refusal(practice.api.screenings.complete.mutate(sent))).toMatchObject({ code: "BAD_REQUEST" });
    expect((await practice.api.screenings.list.query({ caseId: theCase.id })).items).toEqual([]);
  });

  test("screenings.list: of a party screened twice, shows both with answers, reasons and version, the newest first", async () => {
    const { theCase, p1 } = await unscreened();
    const { api } = practice;
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
    const score = { name: "DASH", score: "14", on: "2026-01-05" };
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, { score }));
    const { items } = await api.screenings.list.query({ caseId: theCase.id });
    expect(items).toMatchObject([
      {
        suitable: "yes",
        status: "completed",
        score,
        toolVersion: "2026-11-28-family",
        completedByName: "Ines Marchbank",
      },
      { suitable: "no", status: "superseded", ...NOT_SAFE },
    ]);
    expect(items[0]?.answers).toHaveLength(questionsOf(toolFor("family")).length);
    expect(items[0]?.answers[0]).toMatchObject({ question: expect.stringMatching(/\?$/), answer: "no" });
  });

  test("screenings.list: of a risk that was told, shows why it is safe all the same, and why neither measures nor anybody else", async () => {
    const { theCase, p1 } = await unscreened();
    const whyNeither = "They never meet, and she decides freely";
    const screening = aScreening(theCase, p1.partyId, { whyNeither });
    const orders = told("A non-molestation order is in force");
    await practice.api.screenings.complete.mutate({ ...screening, answers: { ...screening.answers, orders } });
    const [kept] = (await practice.api.screenings.list.query({ caseId: theCase.id })).items;
    expect(kept).toMatchObject({ whyNeither, suitable: "yes" });
    expect(kept?.answers.find(({ id }) => id === "orders")).toMatchObject(orders);
  });

  test("screenings.complete: a risk that was told without why it is safe, is refused at that field and nothing is kept", async () => {
    const { theCase, p1 } = await unscreened();
    const screening = aScreening(theCase, p1.partyId, { reasons: "Nothing suggests otherwise" });
    const police = { answer: "yes" as const, words: "On bail not to contact" };
    const sent = { ...screening, answers: { ...screening.answers, police } };
    expect((await refusal(practice.api.screenings.complete.mutate(sent))).fields).toMatchObject({
      "answers.police.safeBecause": expect.anything(),
      whyNeither: expect.anything(),
    });
    expect((await practice.api.screenings.list.query({ caseId: theCase.id })).items).toEqual([]);
  });

  test("screenings.list: a screening of the first tool, when others came after it, reads as what it was", async () => {
    const { theCase, p1 } = await unscreened();
    const answers = { afraid: "Sometimes", speaking: "Yes" };
    const content = { answers, reasons: "", signposted: [], referral: null };
    await stored("screenings").insertOne({
      _id: "old-screening",
      ownerId: practice.ownerId,
      caseId: theCase.id,
      partyId: p1.partyId,
      toolVersion: "2026-1",
      risk: "medium",
      measures: ["shuttle"],
      suitable: "yes_with_measures",
      status: "completed",
      completedByName: "Ines Marchbank",
      contentEnc: encrypt(JSON.stringify(content), `screenings:${practice.ownerId}:old-screening`),
      completedAt: new Date(),
    });
    const { items } = await practice.api.screenings.list.query({ caseId: theCase.id });
    expect(items).toMatchObject([{ risk: "medium", measures: ["shuttle"], consulted: null, score: null }]);
    expect(items).toMatchObject([{ heldOn: null, channel: null, company: null, supporter: null, status: "completed" }]);
    expect(items[0]?.answers).toEqual([
      {
        id: "afraid",
        question: "Are you, or have you been, afraid of the other person?",
        answer: null,
        words: "Sometimes",
      },
      {
        id: "speaking",
        question: "Could you say what you want with the other person in the room?",
        answer: null,
        words: "Yes",
      },
    ]);
  });

  test("a screening: when it is stored, none of its words stands in the database as it was said", async () => {
    const { theCase, p1 } = await unscreened();
    const consulted = { isConsulted: true, who: "Restword Amsel", on: "2026-01-05", whyNot: "" };
    const said = { reasons: "Restword reasons", signposted: ["Restword place"], consulted };
    await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, { ...NOT_SAFE, ...said }));
    for (const collection of await mongoose.connection.listCollections()) {
      const docs = await stored(collection.name).find().toArray();
      expect({ name: collection.name, holds: JSON.stringify(docs).includes("Restword") }).toEqual({
        name: collection.name,
        holds: false,
      });
    }
  });
});

const TODAY = dayIn("Europe/London", new Date());
const SUITABLE = {};
describe("the day on which it was held", () => {
  test("screenings.complete: with the day, the way and who was with them, is read and told so in the history", async () => {
    const { theCase, p1, first } = await unscreened();
    const held = { heldOn: "2026-01-05", channel: "phone", company: "interpreter" } as const;
    await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, held));
    expect((await practice.api.screenings.list.query({ caseId: theCase.id })).items).toMatchObject([held]);
    const { items } = await practice.api.timeline.list.query({ clientId: first.id });
    expect(JSON.stringify(items)).toContain("P1 screened for safety and suitability on 5 January 2026, by phone");
    const docs = await stored("screenings").find({ caseId: theCase.id }).toArray();
    expect(JSON.stringify(docs)).not.toMatch(/phone|interpreter/);
  });

  test("screenings.complete: one that was held before another, is kept beside it and moves nobody", async () => {
    const { theCase, p1 } = await unscreened();
    const { api } = practice;
    await standing(theCase.id, "miam_attended");
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, withMeasures("shuttle")));
    const earlier = { heldOn: addDays(TODAY, -1) };
    const late = await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, { ...NOT_SAFE, ...earlier }));
    expect(late.status).toBe("superseded");
    expect(await statusOf(theCase.id)).toBe("suitable_with_measures");
    const { items } = await api.screenings.list.query({ caseId: theCase.id });
    expect(items).toMatchObject([
      { suitable: "yes_with_measures", status: "completed" },
      { suitable: "no", status: "superseded" },
    ]);
    expect((await api.screenings.measures.query({ caseId: theCase.id })).items).toHaveLength(1);
    const { items: tasks } = await api.tasks.list.query({ page: 1, caseId: theCase.id });
    expect(tasks.toSorted(byTitle)).toMatchObject([
      { title: "Complete a safeguarding entry" },
      { title: `Safety: decide what follows from the screening of ${theCase.parties[0]?.name}` },
    ]);
  });

  test.each(["yes", "not_sure"] as const)(
    "screenings.complete: who answers %s to an unsafe way of reaching them is to be asked how they are reached safely",
    async (answer) => {
      const { theCase, p1 } = await unscreened();
      const { api } = practice;
      const { answers } = aScreening(theCase, p1.partyId);
      const contact = { answer, words: "He reads my letters" };
      await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, { answers: { ...answers, contact } }));
      const { items } = await api.tasks.list.query({ page: 1, caseId: theCase.id });
      const title = `Safety: enter how ${theCase.parties[0]?.name} may be reached safely`;
      expect(items).toMatchObject([{ title, dueOn: TODAY }]);
      const { items: told } = await api.timeline.list.query({ clientId: p1.clientId });
      expect(JSON.stringify(told)).toContain(title);
      const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
      expect(JSON.stringify(await blind.api.tasks.list.query({ page: 1, caseId: theCase.id }))).not.toContain("Safety");
    },
  );

  test("screenings.complete: one of a day before another was recorded that has no day, does not supersede it", async () => {
    const { theCase, p1 } = await unscreened();
    const { api } = practice;
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId));
    await stored("screenings").updateOne({ caseId: theCase.id }, { $unset: { heldOn: "" } });
    const complete = (heldOn: string) => api.screenings.complete.mutate(aScreening(theCase, p1.partyId, { heldOn }));
    expect((await complete(addDays(TODAY, -1))).status).toBe("superseded");
    expect((await complete(TODAY)).status).toBe("completed");
    const { items } = await api.screenings.list.query({ caseId: theCase.id });
    expect(items.map(({ status }) => status)).toEqual(["completed", "superseded", "superseded"]);
  });
});

const UNASSESSED: PartyStatus[] = [
  "to_invite",
  "invited",
  "no_response",
  "refused",
  "responded",
  "intake_done",
  "miam_booked",
  "miam_missed",
];
describe("what follows at once", () => {
  test.each<[PartyStatus, string, PartyStatus, object]>([
    ["miam_attended", "suitable", "suitable", SUITABLE],
    ["miam_attended", "suitable with measures", "suitable_with_measures", withMeasures("shuttle")],
    ["suitable", "suitable with measures", "suitable_with_measures", withMeasures("shuttle")],
    ["suitable_with_measures", "suitable", "suitable", SUITABLE],
    ["agreement_signed", "suitable", "agreement_signed", SUITABLE],
    ["active", "suitable with measures", "active", withMeasures("shuttle")],
    ...(["miam_attended", "suitable", "suitable_with_measures", "agreement_signed", "active"] as const).map(
      (from): [PartyStatus, string, PartyStatus, object] => [from, "not safe", "not_suitable", NOT_SAFE],
    ),
    ["not_suitable", "suitable", "responded", SUITABLE],
    ["withdrawn", "not safe", "withdrawn", NOT_SAFE],
    ["responded", "suitable", "responded", SUITABLE],
  ])("screenings.complete: a party in %s, found %s, is then in %s", async (from, _word, to, found) => {
    const { theCase, p1 } = await unscreened();
    await standing(theCase.id, from);
    await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, found));
    expect(await statusOf(theCase.id)).toBe(to);
  });

  test.each(UNASSESSED)(
    "screenings.complete: a party in %s, found not safe, is out at once, and found suitable later, back where they stood",
    async (from) => {
      const { theCase, p1 } = await unscreened();
      const { api } = practice;
      await standing(theCase.id, from, { "parties.0.reason": "As it was" });
      await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
      const [out] = (await api.cases.get.query({ id: theCase.id })).parties;
      expect(out).toMatchObject({ status: "not_suitable", leftAt: expect.any(String), reason: "" });
      await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, withMeasures("shuttle")));
      const [back] = (await api.cases.get.query({ id: theCase.id })).parties;
      expect(back).toMatchObject({ status: from, reason: "As it was", assessedOn: "" });
    },
  );

  test("assessments.record: of somebody found not safe before, is kept and leaves them out; found suitable later, they are", async () => {
    const { theCase, p1 } = await unscreened();
    const { api } = practice;
    const mediatorId = await authorise(practice);
    await standing(theCase.id, "miam_booked");
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
    const attendedOn = "2026-01-05";
    const whose = { caseId: theCase.id, partyId: p1.partyId, mediatorId };
    await api.assessments.record.mutate(anUnscreenedMiam(whose, { attendedOn }));
    const [out] = (await api.cases.get.query({ id: theCase.id })).parties;
    expect(out).toMatchObject({ status: "not_suitable", miamOn: attendedOn });
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId));
    const [back] = (await api.cases.get.query({ id: theCase.id })).parties;
    expect(back).toMatchObject({ status: "suitable", miamOn: attendedOn, leftAt: null });
  });

  test("casework.correct and moveParty: that somebody was found not safe is taken back by no step, but by a screening", async () => {
    const { theCase, p1 } = await unscreened();
    const { api } = practice;
    await standing(theCase.id, "responded");
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
    const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
    for (const [by, message] of [
      [api, "The latest screening of P1 does not allow mediation."],
      [blind.api, SCREENING_SAYS_NOT_YET],
    ] as const) {
      const { version } = await api.cases.get.query({ id: theCase.id });
      const party = { id: theCase.id, version, partyId: p1.partyId, reason: "Not so" };
      expect(await refusal(by.casework.correct.mutate(party))).toMatchObject({ message });
      const again = { ...party, to: "responded" as const, on: "2026-01-05" };
      expect(await refusal(by.casework.moveParty.mutate(again))).toMatchObject({ message });
    }
    expect(await statusOf(theCase.id)).toBe("not_suitable");
  });

  test("screenings.complete: who had signed and was found not safe, found suitable later, goes back to where they were", async () => {
    const { theCase, p1 } = await unscreened();
    const { api } = practice;
    await standing(theCase.id, "active", { status: "in_mediation", "parties.0.agreementSignedOn": "2026-01-05" });
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
    expect(await statusOf(theCase.id)).toBe("not_suitable");
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId));
    expect(await statusOf(theCase.id)).toBe("active");
  });

  test.each<[CaseStatus, PartyStatus, PartyStatus]>([
    ["in_mediation", "not_suitable", "active"],
    ["concluded", "not_suitable", "done"],
    ["terminated", "done", "done"],
    ["closed", "done", "done"],
  ])(
    "screenings.complete: whoever is done in a case that is %s, found not safe, is then in %s, and found suitable later in %s",
    async (status, out, back) => {
      const { theCase, p1 } = await unscreened();
      await standing(theCase.id, "done", { status, "parties.0.agreementSignedOn": "2026-01-05" });
      await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
      expect(await statusOf(theCase.id)).toBe(out);
      await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId));
      expect(await statusOf(theCase.id)).toBe(back);
    },
  );

  test("casework.moveParty: a party screened before they attended, once they attended, stands where the screening says", async () => {
    const { theCase, p1 } = await unscreened();
    const { api } = practice;
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, withMeasures("shuttle")));
    await standing(theCase.id, "miam_booked");
    const { version } = await api.cases.get.query({ id: theCase.id });
    const step = { id: theCase.id, version, partyId: p1.partyId, to: "miam_attended" as const };
    const moved = await api.casework.moveParty.mutate({ ...step, on: "2026-01-05", reason: "" });
    expect(moved.parties[0]).toMatchObject({ status: "suitable_with_measures", miamOn: "2026-01-05" });
  });

  test("casework.moveParty: a party without a meeting is said to be suitable as their screening says, and in no other way", async () => {
    const { theCase, p1 } = await aCase(practice, { domain: "civil" }, { isScreened: false });
    const { api } = practice;
    await standing(theCase.id, "intake_done");
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, withMeasures("shuttle")));
    const say = async (to: PartyStatus) => {
      const { version } = await api.cases.get.query({ id: theCase.id });
      const step = { id: theCase.id, version, partyId: p1.partyId, to };
      return api.casework.moveParty.mutate({ ...step, on: "2026-01-05", reason: "Asked again" });
    };
    expect(await refusal(say("suitable"))).toMatchObject({
      message: "The latest screening of P1 says: Suitable, with measures.",
    });
    expect(await statusOf(theCase.id)).toBe("suitable_with_measures");
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
    expect(await refusal(say("suitable"))).toMatchObject({ code: "PRECONDITION_FAILED" });
    expect(await statusOf(theCase.id)).toBe("not_suitable");
  });

  test("casework.correct: whoever is done in a case that was closed by mistake, found not safe meanwhile, is out once it is open", async () => {
    const { theCase, p1 } = await unscreened();
    const { api } = practice;
    await standing(theCase.id, "done", { status: "concluded", "parties.1.status": "done" });
    const { id, version } = await api.cases.get.query({ id: theCase.id });
    await api.casework.move.mutate({ id, version, to: "closed", reason: "", ending: null, outcome: null });
    await api.screenings.complete.mutate(aScreening(theCase, p1.partyId, NOT_SAFE));
    expect(await statusOf(id)).toBe("done");
    const closed = await api.cases.get.query({ id });
    const { parties } = await api.casework.correct.mutate({
      id,
      version: closed.version,
      partyId: "",
      reason: "Not over",
    });
    expect(parties).toMatchObject([
      { status: "not_suitable", leftAt: expect.any(String) },
      { status: "done", leftAt: null },
    ]);
  });

  test("S70: a party found not safe: the case, its history and its tasks, for whoever may not read screenings, say nothing of why", async () => {
    const { theCase, p1, first } = await unscreened();
    await standing(theCase.id, "suitable");
    const said = { ...NOT_SAFE, reasons: "Wordofwhy" };
    await practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, said));
    const { api } = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
    const seen = [
      await api.cases.get.query({ id: theCase.id }),
      await api.timeline.list.query({ clientId: first.id }),
      await api.tasks.list.query({ page: 1, clientId: first.id }),
    ];
    expect(seen[0]).toMatchObject({ parties: [{ status: "not_suitable", reason: "" }, {}] });
    expect(JSON.stringify(seen)).not.toMatch(/Wordofwhy|screen/i);
    for (const party of theCase.parties)
      expect(await toldToParty(app, practice, theCase.id, party)).not.toMatch(/wordofwhy|screen|not safe/);
  });

  test("screenings.complete: two screenings of one party at once, then exactly one of them stands", async () => {
    const { theCase, p1 } = await unscreened();
    const complete = (found: object) => practice.api.screenings.complete.mutate(aScreening(theCase, p1.partyId, found));
    await Promise.all([complete(NOT_SAFE), complete(SUITABLE), complete(SUITABLE)]);
    const { items } = await practice.api.screenings.list.query({ caseId: theCase.id });
    expect(items.map(({ status }) => status).toSorted()).toEqual(["completed", "superseded", "superseded"]);
  });
});
