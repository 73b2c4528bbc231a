// An agreement to mediate that not everybody signs is somebody's to look after, until there is nothing to do any more.
import { clock } from "@app/server/core/clock";
import { newId } from "@app/server/core/ids";
import { followSignatures } from "@app/server/features/signatures/going-on";
import { createLogger } from "@app/server/core/logger";
import type { PartyStatus } from "@app/shared/case-states";
import { beforeEach, expect, test, vi } from "vitest";
import { forAllTests, forEachTest, forgetAttempts } from "../support/server/lifetimes.ts";
import { aPractice, aVisitor } from "../support/server/people.ts";
import { aReadyCase, linksOf, sendOut, signAs, storePdf } from "../support/server/signing.ts";
import { TODAY } from "../support/server/led.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forEachTest(() => aPractice(app));
beforeEach(() => forgetAttempts());
const DAY_MS = 86_400_000;
const AGREEMENT = { isAgreement: true, confidences: "kept" } as const;

async function sentOut(more: Parameters<typeof sendOut>[3] = AGREEMENT) {
  const { theCase, p1, p2 } = await aReadyCase(practice);
  const send = async () => sendOut(practice, (await storePdf(practice, theCase)).id, [p1.partyId, p2.partyId], more);
  const made = await send();
  const links = await linksOf(practice);
  const say = async (to: PartyStatus) => {
    const { id, version } = await practice.api.cases.get.query({ id: theCase.id });
    const said = { to, on: TODAY, reason: "Told us on the phone", confidences: null, isOwnDecision: true };
    await practice.api.casework.moveParty.mutate({ id, version, partyId: p2.partyId, ...said });
  };
  const open = async () => {
    const { items } = await practice.api.tasks.list.query({ caseId: theCase.id });
    return items.map(({ title }) => title).filter((title) => title.includes("agreement to mediate"));
  };
  const refuse = () =>
    aVisitor(app).api.signatures.signing.decline.mutate({ token: links[p2.partyId] ?? "", reason: "Not these words" });
  return { made, name: made.signers[1]?.name ?? "", say, open, refuse, send, first: links[p1.partyId] ?? "" };
}

test("an agreement to mediate: when somebody refuses to sign it, then somebody is to speak with them, until a new one goes out", async () => {
  const { name, open, refuse, send } = await sentOut();
  expect(await open()).toEqual([]);
  await refuse();
  expect(await open()).toEqual([expect.stringContaining(`${name} refused to sign the agreement to mediate`)]);
  await send();
  expect(await open()).toEqual([]);
});

test("an agreement to mediate: when whoever refused to sign it leaves the case, then nobody is to speak with them any more", async () => {
  const { open, refuse, say } = await sentOut();
  await refuse();
  await say("withdrawn");
  expect(await open()).toEqual([]);
});

test("an agreement to mediate: when one has signed and the other leaves, then it is to be withdrawn, until it is", async () => {
  const { made, name, open, say, first } = await sentOut();
  await signAs(aVisitor(app), first);
  await say("withdrawn");
  expect(await open()).toEqual([expect.stringContaining(`still waits for ${name}, who left the case`)]);
  await practice.api.signatures.void.mutate({ id: made.id, reason: "They left" });
  expect(await open()).toEqual([]);
});

test("an agreement to mediate: when the time of somebody to sign it is over, then somebody is to look after it, until there is more time", async () => {
  const { made, name, open } = await sentOut();
  vi.spyOn(clock, "now").mockReturnValue(new Date(Date.now() + 20 * DAY_MS));
  await followSignatures(createLogger("silent"));
  vi.restoreAllMocks();
  const [title] = await open();
  expect(title).toContain(name);
  expect(title).toContain("to sign the agreement to mediate is over");
  for (const { id: signerId } of made.signers)
    await practice.api.signatures.extend.mutate({ changeId: newId(), id: made.id, signerId, days: 14 });
  expect(await open()).toEqual([]);
});

test("another document: when somebody refuses to sign it, then nobody is asked about an agreement", async () => {
  const { open, refuse } = await sentOut({});
  await refuse();
  expect(await open()).toEqual([]);
});
