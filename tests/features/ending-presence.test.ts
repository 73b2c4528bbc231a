// What those who came to the sessions of a case, and those who stand in it at its end, say against how it ends.
import { newId } from "@app/server/core/ids";
import type { Outcome } from "@app/shared/case-outcomes";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { AGREED } from "../support/server/ending.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aLedCase, aNamedClient, TODAY } from "../support/server/led.ts";
import { anAuthorisedPractice } from "../support/server/assessments.ts";
import { at } from "../support/server/stepping.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const SAFE = { hasChanged: false, isSafe: true, doMeasuresFit: true, note: "" };

/** A case in mediation of these people, with a session to which all of them came but the absent ones, and which all agreed at. */
async function agreed(names: readonly string[], absent: readonly number[] = []) {
  const { api } = practice;
  const led = await aLedCase(practice, names);
  const theCase = await led.mediate();
  const ids = theCase.parties.map(({ partyId }) => partyId);
  const { id } = await api.sessions.start.mutate({ id: newId(), caseId: led.caseId, meetingId: null });
  const change = () => ({ id, changeId: newId() });
  for (const [index, partyId] of ids.entries()) {
    const state = absent.includes(index) ? "no_show" : "present";
    await api.sessions.setAttendance.mutate({ ...change(), partyId, state });
    await api.sessions.reviewSafety.mutate({ ...change(), partyId, ...SAFE });
  }
  await api.sessions.update.mutate({ ...change(), outcome: { code: "agreed_all", text: "" } });
  await api.sessions.move.mutate({ ...change(), to: "ended" });
  await api.sessions.move.mutate({ ...change(), to: "locked", unmetReason: "Asked before it began" });
  const conclude = async (outcome: Partial<Outcome> = {}, reason = "") =>
    api.casework.move.mutate({
      ...at(await led.now()),
      to: "concluded",
      reason,
      outcome: { ...AGREED, ...outcome },
    });
  const step = async (index: number, to: "withdrawn" | "died" | "refused") =>
    api.casework.moveParty.mutate({
      ...at(await led.now()),
      partyId: (await led.now()).parties[index]?.partyId ?? "",
      to,
      on: TODAY,
      reason: "They said so",
      isOwnDecision: to === "died" ? null : true,
      confidences: null,
    });
  return { led, ids, conclude, step };
}
const asked = async (call: Promise<unknown>) => (await refusal(call)).fields;
const written = (partyIds: string[]): Partial<Outcome> => ({
  isWrittenUp: true,
  documents: [{ kind: "memorandum", partyIds, fileId: "", isMadeOutside: true }],
});

test("“All agreed” of three sides, when one of them came to no session, then it is asked why", async () => {
  const { conclude, led, ids } = await agreed(["Ife Ode", "Tom Reed", "Una Marsh"], [2]);
  const steps = await practice.api.casework.steps.query({ id: led.caseId });
  expect(steps.mediatedIds.toSorted()).toEqual(ids.slice(0, 2).toSorted());
  expect(await asked(conclude())).toEqual({
    reason: expect.stringContaining("Somebody who takes part came to no session of two sides."),
  });
  expect((await conclude({}, "They agreed by letter, which is on file")).status).toBe("concluded");
});

test("“All agreed”, when the other withdrew since, then it is asked why, and with all who came it is not", async () => {
  const gone = await agreed(["Ife Ode", "Tom Reed"]);
  await gone.step(1, "withdrawn");
  expect(await asked(gone.conclude())).toEqual({ reason: expect.stringContaining("Fewer than two sides take part") });
  const there = await agreed(["Ife Ode", "Tom Reed"]);
  expect((await there.conclude()).status).toBe("concluded");
});

test("documents of the end: when they went to somebody who died, then it is asked why; to whoever never signed they are refused", async () => {
  const { led, conclude, step, ids } = await agreed(["Ife Ode", "Tom Reed", "Una Marsh"]);
  await step(1, "died");
  expect(await asked(conclude(written(ids)))).toEqual({ reason: expect.stringContaining("somebody who died") });
  const clientId = await aNamedClient(practice, "Vic Lowe");
  const party = { clientId, role: "participant" as const, side: "" };
  const joined = await practice.api.casework.addParty.mutate({ ...at(await led.now()), changeId: newId(), party });
  const fourth = joined.parties[3]?.partyId ?? "";
  await practice.api.conflicts.decide.mutate({ id: newId(), caseId: led.caseId, decision: "clear", reason: "" });
  await step(3, "refused");
  expect(await asked(conclude(written([...ids, fourth]), "Handed over before"))).toEqual({
    documents: "Choose parties of this case who signed the agreement to mediate.",
  });
  expect((await conclude(written(ids), "Handed over before")).status).toBe("concluded");
});

test("“All agreed” of two, when a third was only added since, then they neither sign nor leave first", async () => {
  const { conclude, led } = await agreed(["Ife Ode", "Tom Reed"]);
  const party = { clientId: await aNamedClient(practice, "Una Marsh"), role: "participant" as const, side: "" };
  await practice.api.casework.addParty.mutate({ ...at(await led.now()), changeId: newId(), party });
  expect(await asked(conclude())).toEqual({ reason: expect.stringContaining("came to no session of two sides") });
  expect(await conclude({}, "Una only lends the money, and was asked nothing")).toMatchObject({ status: "concluded" });
});
