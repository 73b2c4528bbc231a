// Whoever is kept from being contacted by what whoever came first said is freed by no change of the case itself.
import { newId } from "@app/server/core/ids";
import type { Case } from "@app/shared/cases";
import { expect, test } from "vitest";
import { refusal } from "../support/access/refusal.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { aReport, dismissEntries } from "../support/server/safeguarded.ts";
import { aScreening, NOT_SAFE } from "../support/server/screened.ts";
import { fieldsOf } from "../support/server/heard-child.ts";
import { mayContact } from "../support/server/contactable.ts";
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

/** P1 brought the case, and agrees that P2 is contacted; then somebody reports a concern. */
async function aReportedCase() {
  const { theCase, second, p1, p2 } = await aCase(practice, {}, { isScreened: false });
  const { api } = practice;
  const at = async () => {
    const { id, version } = await api.cases.get.query({ id: theCase.id });
    return { id, version };
  };
  await mayContact(theCase);
  const isHeld = async (person: { id: string; email: string }) => {
    const letter = aLetterTo(person.email, { clientId: person.id, caseId: theCase.id });
    return (await api.compose.check.mutate(letter)).problems.some(({ code }) => code === "unasked");
  };
  expect(await isHeld(second)).toBe(false);
  await api.safeguarding.report.mutate(aReport(theCase.id));
  const become = async ({ partyId }: { partyId: string }, role: "initiator" | "respondent", side = "") =>
    api.casework.updateParty.mutate({
      ...(await at()),
      partyId,
      role,
      side,
      consentedOn: "",
      representativeContactIds: [],
    });
  return { theCase, api, at, isHeld, become, second, p1, p2 };
}

test("casework.updateParty: whom nobody asked, while a concern is not judged, becomes nobody who came first", async () => {
  const { isHeld, become, second, p1, p2 } = await aReportedCase();
  expect(await isHeld(second)).toBe(true);
  expect(await refusal(become(p2, "initiator"))).toMatchObject({ code: "BAD_REQUEST", fields: { role: FREED } });
  await become(p1, "initiator", "Theirs");
  expect(await refusal(become(p2, "respondent", "Theirs"))).toMatchObject({ fields: { role: FREED } });
  expect(await isHeld(second)).toBe(true);
});

test("casework.addParty: whoever joins on the side of the one who came first is as unasked as others, until the concern is judged", async () => {
  const { theCase, api, at, isHeld, become, p1 } = await aReportedCase();
  await become(p1, "initiator", "Theirs");
  const client = aClient({ email: `joined.${newId()}@example.org`, phones: [] });
  const { id } = await api.clients.create.mutate(client);
  const party = { clientId: id, role: "initiator" as const, side: "Theirs" };
  await api.casework.addParty.mutate({ ...(await at()), changeId: newId(), party });
  await api.conflicts.decide.mutate({ id: newId(), caseId: theCase.id, decision: "clear", reason: "" });
  expect(await isHeld({ id, email: client.email })).toBe(true);
  await dismissEntries(api, theCase.id);
  expect(await isHeld({ id, email: client.email })).toBe(false);
});

test("screenings.complete: whom nobody asked is as unasked when a screening finds them not suitable", async () => {
  const { theCase, api, at, isHeld, second, p1, p2 } = await aReportedCase();
  await dismissEntries(api, theCase.id);
  await api.casework.recordContactAgreement.mutate({
    ...(await at()),
    partyId: p1.partyId,
    isAgreed: false,
    isNamed: false,
    on: ON,
  });
  await api.screenings.complete.mutate(aScreening(theCase, p2.partyId, NOT_SAFE));
  expect(await isHeld(second)).toBe(true);
});
