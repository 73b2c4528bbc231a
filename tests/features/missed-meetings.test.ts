// That somebody missed their first meeting: by hand it is said of none that is still to come.
import { expect, test } from "vitest";
import { HOUR_MS } from "@app/server/core/clock";
import { refusal } from "../support/access/refusal.ts";
import { standingAt } from "../support/server/signed.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { TODAY } from "../support/server/led.ts";
import { aCase, aMeetingInput, aPractice, ledBy } from "../support/server/people.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

/** Somebody of whom it is known that their first meeting is booked, and how to book one, and to say that they missed it. */
async function booked() {
  const { api, ownerId } = practice;
  const { theCase, p1 } = await aCase(practice, ledBy(ownerId));
  const { id: caseId } = theCase;
  await standingAt(practice, caseId, ["miam_booked", "intake_done"]);
  const bookIn = (hours: number) => {
    const startsAt = new Date(Date.now() + hours * HOUR_MS).toISOString();
    const when = { startsAt, allowsOverlap: true };
    return api.meetings.create.mutate(
      aMeetingInput(ownerId, { type: "miam", caseId, partyIds: [p1.partyId], ...when }),
    );
  };
  const miss = async () => {
    const step = { ...at(await api.cases.get.query({ id: caseId })), partyId: p1.partyId, to: "miam_missed" as const };
    return (await api.casework.moveParty.mutate({ ...step, on: TODAY, reason: "" })).parties[0];
  };
  return { bookIn, miss };
}

test("casework.moveParty: nobody missed a first meeting that is still to come, in days or later today", async () => {
  for (const hours of [72, 1]) {
    const { bookIn, miss } = await booked();
    await bookIn(hours);
    expect((await refusal(miss())).message).toMatch(
      /^The meeting of P1 on .+ has not begun yet\. Mark what came of it once it is over, or cancel it\.$/,
    );
  }
});

test("casework.moveParty: whoever missed one that has begun, or that no calendar knows, is recorded so, also where the next is booked", async () => {
  for (const hours of [[], [-1], [-1, 72]]) {
    const { bookIn, miss } = await booked();
    for (const each of hours) await bookIn(each);
    expect(await miss()).toMatchObject({ status: "miam_missed" });
  }
});
