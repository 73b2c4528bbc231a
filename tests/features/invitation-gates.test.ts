// Nobody is asked to take part before whoever came first was heard, is safe, and agrees to it.
import { newId } from "@app/server/core/ids";
import { now } from "@app/server/core/clock";
import { NOBODY_WHILE_UNSAFE, SCREENING_SAYS_NOT_YET } from "@app/server/features/screenings/screening-gates.service";
import { CASE_DOMAINS, type CaseDomain } from "@app/shared/case-transitions";
import type { Case, CreateCase } from "@app/shared/cases";
import { DEFAULT_SAFE_CONTACT } from "@app/shared/clients";
import { dayIn } from "@app/shared/days";
import { richTextOf } from "@app/shared/rich-text";
import mongoose from "mongoose";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anUnscreenedMiam, authorise } from "../support/server/assessments.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aClient, aMeetingInput, aPractice, aStaffUser, ledBy } from "../support/server/people.ts";
import { dismissEntries } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE, told, withMeasures } from "../support/server/screened.ts";
import { at, DAY, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(async () => {
  const made = await aPractice(app);
  await authorise(made);
  return made;
});
const { invite, moveParty } = stepping(practice);

/** What went out before is recorded as it was. */
const TODAY = () => dayIn("Europe/London", now());
const nowCase = ({ id }: Pick<Case, "id">) => practice.api.cases.get.query({ id });
const agree = async (theCase: Case, said = {}) =>
  practice.api.casework.recordContactAgreement.mutate({
    ...at(await nowCase(theCase)),
    partyId: theCase.parties[0]?.partyId ?? "",
    isAgreed: true,
    isNamed: false,
    on: DAY,
    ...said,
  });
const screen = (theCase: Case, found = {}) =>
  practice.api.screenings.complete.mutate(aScreening(theCase, theCase.parties[0]?.partyId ?? "", found));

/** Heard as this kind of case asks for it. */
async function hear(theCase: Case): Promise<void> {
  const partyId = theCase.parties[0]?.partyId ?? "";
  if (theCase.domain !== "family") return void (await moveParty(await nowCase(theCase), 0, "responded"));
  const whose = { caseId: theCase.id, partyId, mediatorId: practice.ownerId };
  await practice.api.assessments.record.mutate(anUnscreenedMiam(whose, { attendedOn: dayIn("Europe/London", now()) }));
}

const aNewCase = async (domain: CaseDomain = "family") => {
  const built = await aCase(practice, { domain, ...ledBy(practice.ownerId) }, { isScreened: false, isAgreed: false });
  return built;
};
const missingOf = async (theCase: Case) =>
  (await practice.api.casework.invitations.query({ id: theCase.id })).missing
    .filter(({ partyId }) => partyId === theCase.parties[1]?.partyId)
    .flatMap(({ gaps }) => gaps.map(({ kind, text }) => [kind, text]));

const SCREEN = ["screening", "Complete the screening of P1."];
const AGREE = ["agreement", "Record whether P1 agrees that the others are contacted."];
const HEARD: Record<CaseDomain, string> = {
  family: "Record the MIAM of P1.",
  workplace: "Record the first contact with P1.",
  civil: "Record the first contact with P1.",
  community: "Record the first contact with P1.",
  other: "Record the first contact with P1.",
};

test.each(CASE_DOMAINS)(
  "casework.inviteParty: in a case of the kind %s, until whoever came first was heard, screened and agrees, is refused with what is missing",
  async (domain) => {
    const { theCase } = await aNewCase(domain);
    const refused = async (missing: string[][]) => {
      expect(await missingOf(theCase)).toEqual(missing);
      const message = missing.map(([, text]) => text).join(" ");
      expect(await refusal(invite(await nowCase(theCase), 1, TODAY()))).toMatchObject({
        code: "PRECONDITION_FAILED",
        message,
      });
    };
    await refused([["step", HEARD[domain]], AGREE, SCREEN]);
    await hear(theCase);
    await refused([AGREE, SCREEN]);
    await agree(theCase);
    await refused([SCREEN]);
    const { attempts } = await practice.api.casework.invitations.query({ id: theCase.id });
    expect(attempts).toEqual([]);
    expect((await practice.api.tasks.list.query({ caseId: theCase.id })).items).toEqual([]);
    await screen(theCase);
    expect(await missingOf(theCase)).toEqual([]);
    expect((await invite(await nowCase(theCase), 1)).parties[1]).toMatchObject({ status: "invited" });
  },
);

test.each([
  ["family", "Record the MIAM of P1."],
  ["workplace", ""],
  ["civil", ""],
  ["community", ""],
  ["other", ""],
] as const)(
  "casework.inviteParty: in a case of the kind %s that nobody brought first, says %j",
  async (domain, missing) => {
    const { theCase } = await aNewCase(domain);
    for (const { partyId } of theCase.parties) {
      const fields = { side: "", role: "participant" as const, consentedOn: "", representativeContactIds: [] };
      await practice.api.casework.updateParty.mutate({ ...at(await nowCase(theCase)), partyId, ...fields });
    }
    expect((await missingOf(theCase)).map(([, text]) => text)[0] ?? "").toBe(missing);
  },
);

test("casework.recordContactAgreement: what was said is kept with its day and who recorded it, in the record and its history", async () => {
  const { theCase } = await aNewCase();
  const { parties } = await agree(theCase, { isNamed: true });
  const kept = { isAgreed: true, isNamed: true, on: DAY, byName: "Ines Marchbank" };
  expect(parties.map(({ contactAgreement }) => contactAgreement)).toEqual([kept, null]);
  const line = await mongoose.connection.collection("history").findOne({
    caseId: theCase.id,
    text: "P1 agrees that the others are contacted, and to be named",
  });
  expect(line).toMatchObject({ visibility: { scope: "staff" } });
});

test("casework.recordContactAgreement: of whoever did not come first, to come, or named and not contacted, is refused at its field", async () => {
  const { theCase, p2 } = await aNewCase();
  const fieldsOf = async (said: object) => Object.keys((await refusal(agree(theCase, said))).fields);
  expect(await fieldsOf({ partyId: p2.partyId })).toEqual(["partyId"]);
  expect(await fieldsOf({ on: "2099-01-01" })).toEqual(["on"]);
  expect(await fieldsOf({ isAgreed: false, isNamed: true })).toEqual(["isNamed"]);
});

test("an invitation: when whoever came first takes back that the others are contacted, then no task waits and the next is refused", async () => {
  const { theCase } = await aNewCase();
  await hear(theCase);
  await screen(theCase);
  await agree(theCase);
  await invite(await nowCase(theCase), 1);
  const open = async () => (await practice.api.tasks.list.query({ caseId: theCase.id })).items;
  expect(await open()).toHaveLength(1);
  await agree(theCase, { isAgreed: false });
  expect(await open()).toEqual([]);
  const message = "P1 does not agree that the others are contacted.";
  expect(await refusal(invite(await nowCase(theCase), 1, TODAY()))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message,
  });
  await agree(theCase);
  expect(await open()).toHaveLength(1);
});

test("an invitation: in a case that was reopened, whoever came first is asked again whether the others are contacted", async () => {
  const { theCase } = await aNewCase();
  await hear(theCase);
  await agree(theCase, { isNamed: true });
  await screen(theCase);
  const { move, decide } = stepping(practice);
  await decide(theCase.id);
  await move(await nowCase(theCase), "intake");
  await move(await nowCase(theCase), "awaiting_second_party");
  await move(await nowCase(theCase), "not_proceeding");
  await move(await nowCase(theCase), "awaiting_second_party");
  const again =
    "P1 was asked before the case was reopened. Record whether they agree now that the others are contacted.";
  expect(await missingOf(theCase)).toEqual([["agreement", again]]);
  expect((await refusal(invite(await nowCase(theCase), 1, TODAY()))).message).toBe(again);
  await agree(theCase, { on: TODAY() });
  expect((await invite(await nowCase(theCase), 1, TODAY())).parties[1]).toMatchObject({ status: "invited" });
});

test("an invitation: when whoever came first withdraws before anybody answered, then nobody is invited on their behalf", async () => {
  const { theCase } = await aNewCase();
  await moveParty(theCase, 0, "withdrawn");
  expect(await missingOf(theCase)).toEqual([["step", "P1 takes no part any more, so nobody is invited."]]);
});

test("casework.invitations: what a screening found is told to nobody beside what is missing", async () => {
  const { theCase } = await aNewCase();
  await screen(theCase, NOT_SAFE);
  expect(await missingOf(theCase)).toContainEqual(["screening", NOBODY_WHILE_UNSAFE]);
  const reader = await aStaffUser(app, practice, { permissions: ["clients.read"] });
  const { missing } = await reader.api.casework.invitations.query({ id: theCase.id });
  expect(JSON.stringify(missing)).not.toMatch(/Complete the screening|does not allow|not safe/);
  expect(JSON.stringify(missing)).toContain(SCREENING_SAYS_NOT_YET);
});

test("compose.send: an invitation, until whoever came first agrees, is refused and no mail is stored", async () => {
  const { theCase, second } = await aNewCase();
  await hear(theCase);
  await screen(theCase);
  const letter = {
    ...aLetterTo(second.email, { clientId: second.id, caseId: theCase.id }),
    body: richTextOf("Would you like to hear more?"),
    isInvitation: true,
  };
  const send = () => practice.api.compose.send.mutate({ id: newId(), ...letter, sendAt: null });
  const stored = () => mongoose.connection.collection("email_messages").countDocuments({ caseId: theCase.id });
  expect((await refusal(send())).message).toContain("is not to be contacted");
  expect(await stored()).toBe(0);
  await agree(theCase);
  await send();
  expect(await stored()).toBe(1);
});

describe("the words of an invitation", () => {
  const said = async (theCase: Case, clientId: string) => {
    const { values } = await practice.api.compose.start.query({ clientId, caseId: theCase.id });
    return [values["invitation.request"], values["invitation.matter"]];
  };

  test.each<[CaseDomain, Partial<CreateCase>, string]>([
    ["family", {}, "arrangements in your family"],
    ["family", { issueScope: "child_only" }, "arrangements for children"],
    ["family", { issueScope: "property_finance" }, "money and property"],
    ["workplace", { issueScope: "other" }, "a matter at your work"],
    ["civil", { issueScope: "other" }, "a matter that could be settled by talking"],
    ["community", { issueScope: "other" }, "a matter where you live"],
    ["other", { issueScope: "other" }, "a matter that could be settled by talking"],
  ])(
    "of a case of the kind %s and %j: say who asks only where they agreed to it, and what about",
    async (domain, fields, matter) => {
      const { theCase, first, second } = await aCase(practice, { domain, ...fields });
      const unnamed = "Somebody who is not named here asked that we write to you.";
      expect(await said(theCase, second.id)).toEqual([unnamed, matter]);
      await agree(theCase);
      expect(await said(theCase, second.id)).toEqual([unnamed, matter]);
      await agree(theCase, { isNamed: true });
      expect(await said(theCase, second.id)).toEqual([`Priya ${first.lastName} asked that we write to you.`, matter]);
      expect(await said(theCase, first.id)).toEqual(["We were asked to write to you.", matter]);
    },
  );

  test("to somebody who is reached discreetly: tell neither who asks nor what about", async () => {
    const clientIds = [];
    for (const codeWord of ["", "harbour"]) {
      const safeContact = { ...DEFAULT_SAFE_CONTACT, codeWord };
      clientIds.push((await practice.api.clients.create.mutate(aClient({ phones: [], email: "", safeContact }))).id);
    }
    const theCase = await practice.api.casework.create.mutate(aCaseInput(clientIds));
    await agree(theCase, { isNamed: true });
    const told = await said(theCase, clientIds[1] ?? "");
    expect(told).toEqual(["We were asked to write to you.", "a matter that concerns you"]);
  });
});

test("S68: while nobody has judged what whoever came first told of, no letter, appointment or call of the gateway reaches the other", async () => {
  const { theCase, second, p2 } = await aNewCase();
  await hear(theCase);
  await agree(theCase);
  const check = async () => {
    const letter = aLetterTo(second.email, { clientId: second.id, caseId: theCase.id });
    return (await practice.api.compose.check.mutate(letter)).problems.map(({ code }) => code);
  };
  const book = () =>
    practice.api.meetings.create.mutate(
      aMeetingInput(practice.ownerId, {
        caseId: theCase.id,
        partyIds: [p2.partyId],
        type: "miam",
        isInvitationSent: true,
        allowsOverlap: true,
      }),
    );
  const given = aScreening(theCase, theCase.parties[0]?.partyId ?? "", withMeasures("shuttle"));
  const answers = { ...given.answers, child_harm: told("She hides when he shouts") };
  await practice.api.screenings.complete.mutate({ ...given, answers });
  expect(await check()).toContain("unasked");
  const words = expect.stringContaining("Complete the safeguarding entry of this case");
  expect(await refusal(book())).toMatchObject({ code: "PRECONDITION_FAILED", message: words });
  await dismissEntries(practice.api, theCase.id);
  expect(await check()).not.toContain("unasked");
  await book();
});

/** P1 was heard and agrees that the others are contacted, nobody has asked P2 yet, and P3 was found not safe. */
async function oneOfThree(side = "") {
  const { theCase } = await aNewCase("civil");
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const party = { clientId, role: "participant" as const, side };
  const three = await practice.api.casework.addParty.mutate({
    ...at(await nowCase(theCase)),
    changeId: newId(),
    party,
  });
  await hear(three);
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: three.id, decision: "clear", reason: "" });
  await screen(three);
  await agree(three, { on: TODAY() });
  const partyId = three.parties[2]?.partyId ?? "";
  await practice.api.screenings.complete.mutate(aScreening(three, partyId, NOT_SAFE));
  await dismissEntries(practice.api, three.id);
  return three;
}
const inviteSecond = async (theCase: Case, more: object = {}, api = practice.api) =>
  api.casework.inviteParty.mutate({
    ...at(await nowCase(theCase)),
    changeId: newId(),
    partyId: theCase.parties[1]?.partyId ?? "",
    channel: "post",
    on: TODAY(),
    wording: "A letter",
    ...more,
  });

describe("casework.inviteParty: one of three is not safe to mediate", () => {
  const UNSAFE = "The screening of P3 did not allow mediation.";

  test("then another is invited with why the others go on, which is asked once of what was found", async () => {
    const theCase = await oneOfThree();
    expect(await missingOf(theCase)).toEqual([["screening", expect.stringContaining(`${UNSAFE} The others may be`)]]);
    expect((await refusal(inviteSecond(theCase))).fields).toEqual({
      unmetReason: expect.stringContaining(`${UNSAFE} Say why the others are invited without them`),
    });
    const why = { unmetReason: "The two have a house to settle" };
    expect((await inviteSecond(theCase, why)).parties[1]).toMatchObject({ status: "invited" });
    const { attempts } = await practice.api.casework.invitations.query({ id: theCase.id });
    expect(attempts).toMatchObject([{ unmet: [UNSAFE], unmetBecause: why.unmetReason }]);
    expect(await missingOf(theCase)).toEqual([]);
    await inviteSecond(theCase, { channel: "text" });
    const partyId = theCase.parties[2]?.partyId ?? "";
    await practice.api.screenings.complete.mutate(aScreening(theCase, partyId, NOT_SAFE));
    await dismissEntries(practice.api, theCase.id);
    expect((await refusal(inviteSecond(theCase))).fields).toHaveProperty("unmetReason");
  });

  test("then nobody does who may not read screenings, and hears nothing of it", async () => {
    const theCase = await oneOfThree();
    const blind = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
    expect(await refusal(inviteSecond(theCase, { unmetReason: "They want to" }, blind.api))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: SCREENING_SAYS_NOT_YET,
    });
  });

  test("then the one who is not safe is invited with no reason, and nobody where no two sides are left", async () => {
    const theCase = await oneOfThree();
    const why = { unmetReason: "They want to" };
    const refused = { code: "PRECONDITION_FAILED", message: NOBODY_WHILE_UNSAFE };
    const partyId = theCase.parties[2]?.partyId ?? "";
    await moveParty(await nowCase(theCase), 1, "refused");
    expect(await refusal(inviteSecond(theCase, { ...why, partyId }))).toMatchObject({ code: "PRECONDITION_FAILED" });
    const two = await aNewCase("civil");
    await hear(two.theCase);
    await practice.api.conflicts.decide.mutate({ id: newId(), caseId: two.theCase.id, decision: "clear", reason: "" });
    await screen(two.theCase, NOT_SAFE);
    expect(await refusal(inviteSecond(two.theCase, why))).toMatchObject(refused);
  });
});
