// Nobody is asked, seen or met in a case before it is decided that the practice may act in it.
import { newId } from "@app/server/core/ids";
import { addDays, dayIn } from "@app/shared/days";
import type { Case } from "@app/shared/cases";
import type { ConflictDecision } from "@app/shared/conflicts";
import type { MeetingType } from "@app/shared/meeting-states";
import type { CreateMeeting } from "@app/shared/meetings";
import { describe, expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { anAssessment, anAuthorisedPractice, aMiamElsewhere, anUnscreenedMiam } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aClient, agreeing, aMeetingInput, ledBy } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { at, stepping } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const HOUR_MS = 3_600_000;
const UNDECIDED = { code: "PRECONDITION_FAILED", message: "Decide the conflict check as clear or waived." };
const MAY_NOT_ACT = {
  code: "PRECONDITION_FAILED",
  message: expect.stringContaining("the practice may not take this case"),
};

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const { invite } = stepping(practice);

const today = () => dayIn("Europe/London", new Date());
const fresh = ({ id }: Pick<Case, "id">) => practice.api.cases.get.query({ id });
const partyOf = ({ parties }: Case, index: number) => parties[index]?.partyId ?? "";
const decide = ({ id: caseId }: Pick<Case, "id">, decision: ConflictDecision) =>
  practice.api.conflicts.decide.mutate({ id: newId(), caseId, decision, reason: decision === "clear" ? "" : "Known" });
const screen = (theCase: Case, index: number) =>
  practice.api.screenings.complete.mutate(aScreening(theCase, partyOf(theCase, index)));

let hours = 0;
const book = ({ id }: Pick<Case, "id">, partyIds: string[], overrides: Partial<CreateMeeting> = {}) =>
  practice.api.meetings.create.mutate(
    aMeetingInput(practice.ownerId, {
      caseId: id,
      partyIds,
      startsAt: new Date(Date.UTC(2031, 8, 2) + (hours += 2) * HOUR_MS).toISOString(),
      ...overrides,
    }),
  );

const whoseOf = (theCase: Case, index: number) => ({
  caseId: theCase.id,
  partyId: partyOf(theCase, index),
  mediatorId: practice.ownerId,
});

/** A third person joins, of whom the check that was made knows nothing. */
async function joined(theCase: Case): Promise<Case> {
  const { id: clientId } = await practice.api.clients.create.mutate(aClient({ email: "", phones: [] }));
  const party = { clientId, role: "respondent" as const, side: "" };
  return practice.api.casework.addParty.mutate({ ...at(await fresh(theCase)), changeId: newId(), party });
}

const aCaseToDecide = async (isScreened = true) => {
  const { theCase } = await aCase(practice, ledBy(practice.ownerId), { isCleared: false, isScreened });
  return theCase;
};

describe("somebody who is to be asked", () => {
  const gapsOf = async (theCase: Case, index: number) =>
    (await practice.api.casework.invitations.query({ id: theCase.id })).missing
      .filter(({ partyId }) => partyId === partyOf(theCase, index))
      .flatMap(({ gaps }) => gaps.map(({ kind, text }) => ({ kind, message: text })));

  async function aHeardCase(): Promise<Case> {
    const theCase = await aCaseToDecide();
    await mayContact(theCase);
    return theCase;
  }

  test.each(["clear", "waived"] as const)(
    "casework.inviteParty: until the conflict check is decided as %s, it is refused, and the gap says so",
    async (decision) => {
      const theCase = await aHeardCase();
      expect(await gapsOf(theCase, 1)).toEqual([{ kind: "conflict", message: UNDECIDED.message }]);
      expect(await refusal(invite(theCase, 1, today()))).toMatchObject(UNDECIDED);
      await decide(theCase, "flagged");
      expect(await refusal(invite(theCase, 1, today()))).toMatchObject(UNDECIDED);
      await decide(theCase, decision);
      expect(await gapsOf(theCase, 1)).toEqual([]);
      expect((await invite(theCase, 1)).parties[1]).toMatchObject({ status: "invited" });
    },
  );

  test("casework.inviteParty: when the practice may not act, then it stays refused, in words of that, until it is decided anew", async () => {
    const theCase = await aHeardCase();
    await decide(theCase, "clear");
    await decide(theCase, "conflicted");
    expect(await gapsOf(theCase, 1)).toEqual([{ kind: "conflict", message: MAY_NOT_ACT.message }]);
    expect(await refusal(invite(theCase, 1, today()))).toMatchObject(MAY_NOT_ACT);
    await decide(theCase, "waived");
    expect((await invite(theCase, 1)).parties[1]).toMatchObject({ status: "invited" });
  });

  test("casework.inviteParty: when somebody joined since the check, then they wait for it, and who was checked does not", async () => {
    const theCase = await aHeardCase();
    await decide(theCase, "clear");
    const withThird = await practice.api.casework.recordContactAgreement.mutate(agreeing(await joined(theCase)));
    expect(await gapsOf(withThird, 1)).toEqual([]);
    expect(await gapsOf(withThird, 2)).toEqual([{ kind: "conflict", message: UNDECIDED.message }]);
    expect(await refusal(invite(withThird, 2, today()))).toMatchObject(UNDECIDED);
    expect((await invite(withThird, 1)).parties[1]).toMatchObject({ status: "invited" });
  });

  test("casework.inviteParty: when somebody stands on the side of whoever came first, then nothing waits for the check", async () => {
    let theCase = await aHeardCase();
    for (const { partyId, role } of theCase.parties) {
      const fields = { role, side: "Ellery", consentedOn: "", representativeContactIds: [] };
      theCase = await practice.api.casework.updateParty.mutate({ ...at(theCase), partyId, ...fields });
    }
    expect(await gapsOf(theCase, 1)).toEqual([]);
    expect((await invite(theCase, 1)).parties[1]).toMatchObject({ status: "invited" });
  });
});

describe("a practice that may not act", () => {
  const TYPES: readonly MeetingType[] = ["miam", "mediation", "shuttle", "call", "pre_meeting", "other"];

  test.each(TYPES)(
    "meetings.create: a %s with anybody of the case is booked before that is decided, and not after",
    async (type) => {
      const { theCase } = await aCase(practice, ledBy(practice.ownerId));
      const alone = [partyOf(theCase, 0)];
      const groups = type === "miam" ? [alone] : [alone, [...alone, partyOf(theCase, 1)]];
      for (const partyIds of groups) expect((await book(theCase, partyIds, { type })).status).toBe("booked");
      await decide(theCase, "conflicted");
      for (const partyIds of groups)
        expect(await refusal(book(theCase, partyIds, { type }))).toMatchObject(MAY_NOT_ACT);
      await decide(theCase, "clear");
      expect((await book(theCase, alone, { type })).status).toBe("booked");
    },
  );

  test("meetings.create: a mediation that names nobody is one of all, and is refused", async () => {
    const { theCase } = await aCase(practice, ledBy(practice.ownerId));
    await decide(theCase, "conflicted");
    expect(await refusal(book(theCase, []))).toMatchObject(MAY_NOT_ACT);
  });

  test("meetings.cancel: what was booked before can still be called off", async () => {
    const { theCase } = await aCase(practice, ledBy(practice.ownerId));
    const { id, version } = await book(theCase, [partyOf(theCase, 0)], { type: "miam" });
    await decide(theCase, "conflicted");
    const off = { changeId: newId(), id, version, reason: "We may not act", isLate: false, isWholeSeries: false };
    expect((await practice.api.meetings.cancel.mutate(off)).status).toBe("cancelled");
  });

  test("assessments.record: a MIAM that was held before stays a fact, and is recorded", async () => {
    const { theCase } = await aCase(practice, ledBy(practice.ownerId));
    await decide(theCase, "conflicted");
    const attendedOn = addDays(today(), -3);
    const { id } = await practice.api.assessments.record.mutate(anAssessment(whoseOf(theCase, 0), { attendedOn }));
    expect((await practice.api.assessments.list.query({ caseId: theCase.id })).items).toMatchObject([{ id }]);
  });
});

describe("somebody who joined later", () => {
  const acts = (theCase: Case, index: number) => {
    const { caseId, partyId } = whoseOf(theCase, index);
    const attendedOn = today();
    return {
      screen: () => screen(theCase, index),
      book: () => book(theCase, [partyId], { type: "miam" }),
      call: () => book(theCase, [partyId], { type: "call" }),
      record: () => practice.api.assessments.record.mutate(anUnscreenedMiam(whoseOf(theCase, index), { attendedOn })),
      recordElsewhere: () =>
        practice.api.assessments.recordElsewhere.mutate(
          aMiamElsewhere({ caseId, partyId }, { attendedOn: addDays(attendedOn, -2) }),
        ),
    };
  };

  test("screenings.complete, meetings.create, assessments.record: when they were not checked, then each waits for the check", async () => {
    const { theCase } = await aCase(practice, ledBy(practice.ownerId));
    const withThird = await joined(theCase);
    const ofThird = Object.values(acts(withThird, 2));
    for (const act of ofThird) expect(await refusal(act())).toMatchObject(UNDECIDED);
    expect((await practice.api.screenings.list.query({ caseId: theCase.id })).items).not.toContainEqual(
      expect.objectContaining({ partyId: partyOf(withThird, 2) }),
    );
    for (const act of Object.values(acts(withThird, 0))) await act();
    await decide(theCase, "clear");
    for (const act of ofThird) await act();
    expect((await fresh(theCase)).parties[2]).toMatchObject({ miamOn: today() });
  });

  test("meetings.create: when they are to come with somebody who was checked, then it waits all the same", async () => {
    const { theCase } = await aCase(practice, ledBy(practice.ownerId));
    const withThird = await joined(theCase);
    await decide(theCase, "clear");
    for (const index of [0, 2]) await screen(withThird, index);
    const fourth = await joined(withThird);
    const meeting = (index: number) => book(fourth, [partyOf(fourth, 0), partyOf(fourth, index)], { type: "call" });
    expect((await meeting(2)).status).toBe("booked");
    expect(await refusal(meeting(3))).toMatchObject(UNDECIDED);
  });

  test("screenings.complete, meetings.create, assessments.record: whoever the case began with is seen before the check is decided", async () => {
    const theCase = await aCaseToDecide(false);
    for (const index of [0, 1]) for (const act of Object.values(acts(theCase, index))) await act();
    expect((await fresh(theCase)).parties).toMatchObject([{ miamOn: today() }, { miamOn: today() }]);
  });

  test("screenings.complete: when the practice may not act, then they are not screened, in words of that", async () => {
    const { theCase } = await aCase(practice, ledBy(practice.ownerId));
    const withThird = await joined(theCase);
    await decide(theCase, "conflicted");
    expect(await refusal(screen(withThird, 2))).toMatchObject(MAY_NOT_ACT);
  });
});
