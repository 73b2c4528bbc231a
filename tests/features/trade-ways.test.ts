// Steps of parties and cases that practice asked for, and what they do not let through.
import { Readable } from "node:stream";
import { newId } from "@app/server/core/ids";
import { CaseModel } from "@app/server/features/cases/cases.model";
import { storeFile } from "@app/server/features/files/files.service";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import type { CaseStatus, PartyStatus } from "@app/shared/case-states";
import { CASE_DOMAINS } from "@app/shared/case-transitions";
import type { Case } from "@app/shared/cases";
import { addDays, dayIn } from "@app/shared/days";
import { SHARED } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { anAuthorisedPractice, anUnscreenedMiam } from "../support/server/assessments.ts";
import { fieldsOf } from "../support/server/heard-child.ts";
import { TODAY } from "../support/server/led.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aClient, aMeetingInput, ledBy, scopeOf } from "../support/server/people.ts";
import { aScreening, screened } from "../support/server/screened.ts";
import { aSignedCase } from "../support/server/signed.ts";
import { at, DAY, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const HOUR_MS = 3_600_000;
const WHY = "They heard of it from a friend";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const { correct, decide, move, moveParty, standing } = stepping(practice);

const fresh = ({ id }: Pick<Case, "id">) => practice.api.cases.get.query({ id });
const partyOf = ({ parties }: Case, index: number) => parties[index]?.partyId ?? "";

describe("a refusal", () => {
  const refuse = (theCase: Case, reason: string) =>
    practice.api.casework.moveParty.mutate({
      ...at(theCase),
      partyId: partyOf(theCase, 1),
      to: "refused",
      on: DAY,
      reason,
      confidences: null,
      isOwnDecision: true,
    });

  test.each(
    CASE_DOMAINS.flatMap((domain) =>
      (["to_invite", "miam_booked"] as const).map((status): [PartyStatus, (typeof CASE_DOMAINS)[number]] => [
        status,
        domain,
      ]),
    ),
  )(
    "casework.moveParty: from %s in a case of the kind %s, somebody may say no, with why, and come back",
    async (status, domain) => {
      const theCase = await standing("assessing", ["suitable", status], { domain });
      expect((await refusal(refuse(theCase, ""))).fields).toEqual({ reason: "Say why." });
      const refused = await refuse(theCase, WHY);
      expect(refused.parties[1]).toMatchObject({ status: "refused", reason: WHY });
      expect(refused.parties[1]?.leftAt).not.toBeNull();
      expect((await correct(refused, partyOf(refused, 1))).parties[1]).toMatchObject({ status, leftAt: null });
    },
  );

  test("casework.moveParty: from in mediation, nobody refuses who began; they withdraw", async () => {
    const theCase = await standing("in_mediation", ["active", "active"]);
    expect(await refusal(refuse(theCase, WHY))).toMatchObject({ code: "PRECONDITION_FAILED" });
  });
});

describe("somebody who joins while the others mediate", () => {
  async function aSuitableThird(status: CaseStatus = "in_mediation", stood: PartyStatus = "active"): Promise<Case> {
    const theCase = await standing(status, [stood, stood]);
    const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
    const party = { clientId, role: "participant" as const, side: "" };
    const joined = await practice.api.casework.addParty.mutate({ ...at(theCase), changeId: newId(), party });
    await decide(joined.id);
    await screened(joined, joined.parties.slice(2));
    const set = { "parties.2.status": "suitable", "parties.2.miamOn": DAY };
    await CaseModel.updateOne({ _id: joined.id, ownerId: practice.ownerId }, { $set: set });
    return fresh(joined);
  }
  const consent = (theCase: Case) =>
    practice.api.casework.updateParty.mutate({
      ...at(theCase),
      partyId: partyOf(theCase, 2),
      side: "",
      role: "participant",
      representativeContactIds: [],
      consentedOn: DAY,
    });

  test("casework.moveParty: when they sign without their consent, then it is refused, and names them", async () => {
    const theCase = await aSuitableThird();
    expect(await refusal(moveParty(theCase, 2, "agreement_signed"))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: "Record the consent of P3.",
    });
    expect((await fresh(theCase)).parties[2]).toMatchObject({ status: "suitable" });
  });

  test("casework.moveParty: when they consented and sign, then they mediate at once, and are done when the case is", async () => {
    const signed = await moveParty(await consent(await aSuitableThird()), 2, "agreement_signed");
    // The others were asked about them as well, and consented again.
    await screened(signed, signed.parties);
    await CaseModel.updateOne(
      { _id: signed.id, ownerId: practice.ownerId },
      { $set: { "parties.$[].consentedOn": TODAY } },
    );
    expect(signed.parties[2]).toMatchObject({ status: "active", agreementSignedOn: DAY });
    const { partyIds } = await practice.api.sessions.start.mutate({ id: newId(), caseId: signed.id, meetingId: null });
    expect(partyIds).toContain(partyOf(signed, 2));
    const other = await moveParty(await consent(await aSuitableThird()), 2, "agreement_signed");
    const statuses = (await move(other, "concluded")).parties.map(({ status }) => status);
    expect(statuses).toEqual(["done", "done", "done"]);
  });

  test("casework.moveParty: when mediation has not begun, then whoever signs waits for the others", async () => {
    const theCase = await aSuitableThird("ready", "agreement_signed");
    expect((await moveParty(theCase, 2, "agreement_signed")).parties[2]).toMatchObject({ status: "agreement_signed" });
  });
});

describe("the kind of a case", () => {
  const change = async (theCase: Case, fields: Partial<Pick<Case, "domain" | "matter">>) => {
    const now = await fresh(theCase);
    return practice.api.casework.update.mutate({ ...fieldsOf(now), children: [], ...at(now), ...fields });
  };
  const unscreened = async () => (await aCase(practice, ledBy(practice.ownerId), { isScreened: false })).theCase;

  test.each<[string, () => Promise<Case>]>([
    [
      "screened",
      async () => {
        const theCase = await unscreened();
        await practice.api.screenings.complete.mutate(aScreening(theCase, partyOf(theCase, 1)));
        return theCase;
      },
    ],
    [
      "met",
      async () => {
        const theCase = await unscreened();
        const whose = { caseId: theCase.id, partyId: partyOf(theCase, 0), mediatorId: practice.ownerId };
        await practice.api.assessments.record.mutate(anUnscreenedMiam(whose));
        return theCase;
      },
    ],
    ["signed for", async () => (await aSignedCase(practice, "kept", { isSecondSigned: false })).theCase],
  ])("casework.update: once somebody was %s, it stays, and all else is changed", async (_what, counting) => {
    const theCase = await counting();
    expect(await refusal(change(theCase, { domain: "workplace" }))).toMatchObject({
      code: "PRECONDITION_FAILED",
      message: expect.stringContaining("somebody was screened, met or signed already"),
    });
    expect(await change(theCase, { matter: "Finances" })).toMatchObject({ domain: "family", matter: "Finances" });
  });

  test("casework.update: before anybody was, it is changed", async () => {
    const theCase = await unscreened();
    await moveParty(theCase, 0, "responded");
    expect(await change(theCase, { domain: "workplace" })).toMatchObject({ domain: "workplace" });
  });
});

describe("an assessment meeting that took place", () => {
  const startsAt = new Date(Date.now() - 30 * HOUR_MS).toISOString();
  const day = dayIn("Europe/London", new Date(startsAt));
  const held = async (theCase: Case, type: "miam" | "pre_meeting" | "call") => {
    const partyIds = theCase.parties.slice(0, type === "call" ? 2 : 1).map(({ partyId }) => partyId);
    const input = aMeetingInput(practice.ownerId, {
      type,
      caseId: theCase.id,
      partyIds,
      startsAt,
      allowsOverlap: true,
    });
    return practice.api.meetings.create.mutate(input);
  };
  const complete = async (id: string) => {
    const { version } = await practice.api.meetings.get.query({ id });
    return practice.api.meetings.setStatus.mutate({ id, version, to: "completed", unmetReason: "As it was" });
  };

  test.each([
    ["family", "miam"],
    ["workplace", "pre_meeting"],
    ["community", "pre_meeting"],
  ] as const)(
    "meetings.setStatus: of one person in a %s case, when nobody was marked, then they were there",
    async (domain, type) => {
      const { theCase, p1 } = await aCase(practice, { ...ledBy(practice.ownerId), domain }, { isScreened: false });
      const { id } = await held(theCase, type);
      expect((await complete(id)).attendance).toEqual([{ partyId: p1.partyId, attendance: "present" }]);
      expect((await fresh(theCase)).parties).toMatchObject([
        { status: "miam_attended", miamOn: day },
        { status: "to_invite", miamOn: "" },
      ]);
      const { items } = await practice.api.assessments.list.query({ caseId: theCase.id });
      expect(items.map(({ attendedOn }) => attendedOn)).toEqual(domain === "family" ? [day] : []);
    },
  );

  test("meetings.setStatus: of one person who was marked otherwise, then the mark stays", async () => {
    const { theCase, p1 } = await aCase(practice, ledBy(practice.ownerId));
    const { id } = await held(theCase, "miam");
    const mark = { id, partyId: p1.partyId, attendance: "no_show" as const };
    await practice.api.meetings.setAttendance.mutate(mark);
    expect((await complete(id)).attendance).toEqual([{ partyId: p1.partyId, attendance: "no_show" }]);
    expect((await fresh(theCase)).parties[0]).toMatchObject({ miamOn: "" });
  });

  test("meetings.setStatus: of two people, then nobody is marked, and nobody attended", async () => {
    const { theCase } = await aCase(practice, ledBy(practice.ownerId));
    expect((await complete((await held(theCase, "call")).id)).attendance).toEqual([]);
    // As it could be booked before each had one of their own.
    const { id } = await held(theCase, "miam");
    const both = {
      partyIds: theCase.parties.map(({ partyId }) => partyId),
      clientIds: theCase.parties.map(({ clientId }) => clientId),
    };
    await MeetingModel.updateOne({ ownerId: practice.ownerId, _id: id }, { $set: both });
    expect((await complete(id)).attendance).toEqual([]);
    expect((await fresh(theCase)).parties.map(({ miamOn }) => miamOn)).toEqual(["", ""]);
  });
});

describe("a first meeting", () => {
  const LACKING = (label: string) => `${label} has not attended their MIAM.`;
  const blockersOf = async ({ id }: Case) =>
    (await practice.api.casework.steps.query({ id })).items.flatMap(({ to, blockers }) =>
      to === "ready" ? blockers : [],
    );

  test("casework.steps: when somebody attended, left and came back, then it counts, and of whoever never came it is said", async () => {
    let theCase = await standing("assessing", ["miam_booked", "miam_booked"]);
    for (const to of ["miam_attended", "withdrawn", "responded"] as const) theCase = await moveParty(theCase, 0, to);
    for (const to of ["withdrawn", "responded"] as const) theCase = await moveParty(theCase, 1, to);
    expect(theCase.parties).toMatchObject([{ status: "responded" }, { status: "responded" }]);
    const blockers = await blockersOf(theCase);
    expect(blockers).not.toContain(LACKING("P1"));
    expect(blockers).toContain(LACKING("P2"));
    expect(await blockersOf(await moveParty(theCase, 0, "intake_done"))).not.toContain(LACKING("P1"));
  });
});

describe("a law that overrides", () => {
  const COUNCIL = "duty@council.example.org";
  const COURT = "registry@court.example.org";
  const DUTY = "A child at risk of serious harm";

  async function aCaseWithFiles() {
    const built = await aSignedCase(practice, "kept");
    const file = async (name: string) =>
      storeFile(scopeOf(practice.ownerId), Readable.from([Buffer.from(newId())]), {
        clientId: null,
        caseId: built.theCase.id,
        name,
        visibility: SHARED,
        mark: { privilege: "none", isFinancial: false },
      });
    const [named, unnamed] = [await file("minutes.txt"), await file("offer.txt")];
    const disclosureId = newId();
    const record = async (ground: { on?: string; duty?: string } = {}) =>
      practice.api.casework.recordDisclosure.mutate({
        ...at(await fresh(built.theCase)),
        disclosureId,
        what: "The minutes, to the council",
        fileIds: [named.id],
        to: [COUNCIL],
        hasReport: false,
        ground: { kind: "law", on: DAY, duty: DUTY, ...ground },
      });
    const codes = async (address: string, fileId: string) => {
      const of = { clientId: built.first.id, caseId: built.theCase.id, fileIds: [fileId] };
      const { problems } = await practice.api.compose.check.mutate(aLetterTo(address, of));
      return problems.map(({ code }) => code);
    };
    return { ...built, named, unnamed, disclosureId, record, codes };
  }

  test("casework.recordDisclosure: what it names goes to whom it names, and nothing else to nobody else, until it ends", async () => {
    const { theCase, named, unnamed, disclosureId, record, codes } = await aCaseWithFiles();
    expect(await codes(COUNCIL, named.id)).toEqual(["outsider"]);
    const { disclosures } = await record();
    expect(disclosures).toMatchObject([{ id: disclosureId, ground: { kind: "law", on: DAY, duty: DUTY } }]);
    expect(await codes(COUNCIL, named.id)).toEqual([]);
    expect(await codes(COUNCIL, unnamed.id)).toEqual(["outsider"]);
    expect(await codes(COURT, named.id)).toEqual(["outsider"]);
    const end = { ...at(await fresh(theCase)), disclosureId, reason: "The council has closed it" };
    await practice.api.casework.endDisclosure.mutate(end);
    expect(await codes(COUNCIL, named.id)).toEqual(["outsider"]);
  });

  test("casework.recordDisclosure: when its day is to come, or no duty is named, then it is refused", async () => {
    const { theCase, named, record, codes } = await aCaseWithFiles();
    const tomorrow = addDays(dayIn("Europe/London", new Date()), 1);
    expect((await refusal(record({ on: tomorrow }))).fields).toHaveProperty("ground");
    for (const duty of ["", " "]) expect((await refusal(record({ duty }))).code).toBe("BAD_REQUEST");
    expect((await fresh(theCase)).disclosures).toEqual([]);
    expect(await codes(COUNCIL, named.id)).toEqual(["outsider"]);
    expect((await record({ on: addDays(tomorrow, -1) })).disclosures).toHaveLength(1);
  });

  test("timeline.list: which duty it is stands with the record, and not in the history", async () => {
    const { theCase, record } = await aCaseWithFiles();
    await record();
    const { items } = await practice.api.timeline.list.query({ caseId: theCase.id, page: 1 });
    const lines = items.map(({ text }) => text).join("\n");
    expect(lines).toContain("May be told outside the mediation (a law that overrides)");
    expect(lines).not.toContain(DUTY);
  });
});
