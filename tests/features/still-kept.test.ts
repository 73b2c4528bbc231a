// Whoever is kept from being contacted by what whoever came first said is freed by no change of the case itself.
import { newId } from "@app/server/core/ids";
import type { Case } from "@app/shared/cases";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { fieldsOf } from "../support/server/heard-child.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aClient, aPractice } from "../support/server/people.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));
const ON = "2026-01-05";

/** Nobody of them brought the case, and whoever is named first says no. */
async function aRefusedCase(role: "participant" | "initiator" = "participant") {
  const { theCase, second, p1 } = await aCase(practice, {}, { isScreened: false, isAgreed: false });
  const { api } = practice;
  const at = async () => {
    const { id, version } = await api.cases.get.query({ id: theCase.id });
    return { id, version };
  };
  for (const [index, { partyId }] of theCase.parties.entries()) {
    const fields = { side: "", consentedOn: "", representativeContactIds: [] };
    const own = index === 0 ? role : ("participant" as const);
    await api.casework.updateParty.mutate({ ...(await at()), partyId, ...fields, role: own });
  }
  const said = { partyId: p1.partyId, isAgreed: false, isNamed: false, on: ON };
  await api.casework.recordContactAgreement.mutate({ ...(await at()), ...said });
  const isHeld = async () => {
    const letter = aLetterTo(second.email, { clientId: second.id, caseId: theCase.id });
    return (await api.compose.check.mutate(letter)).problems.some(({ code }) => code === "unasked");
  };
  const update = async (domain: Case["domain"]) =>
    api.casework.update.mutate({ ...fieldsOf(theCase), children: theCase.children, ...(await at()), domain });
  const add = async () => {
    const { id: clientId } = await api.clients.create.mutate(aClient({ phones: [] }));
    const party = { clientId, role: "initiator" as const, side: "" };
    return api.casework.addParty.mutate({ ...(await at()), changeId: newId(), party });
  };
  return { isHeld, update, add };
}

const FREED = expect.stringContaining("By this somebody could be contacted");

test("casework.update: another kind of case frees nobody whom the one who came first keeps from being contacted", async () => {
  const { isHeld, update } = await aRefusedCase();
  expect(await refusal(update("community"))).toMatchObject({ code: "BAD_REQUEST", fields: { domain: FREED } });
  expect(await isHeld()).toBe(true);
});

test("casework.addParty: nor does somebody who joins as having come first", async () => {
  const { isHeld, add } = await aRefusedCase();
  expect(await refusal(add())).toMatchObject({ code: "BAD_REQUEST", fields: { role: FREED } });
  expect(await isHeld()).toBe(true);
});

test("casework.update and casework.addParty: where whoever said no brought the case, their no stands by every change", async () => {
  const { isHeld, update, add } = await aRefusedCase("initiator");
  await update("community");
  await add();
  expect(await isHeld()).toBe(true);
});
