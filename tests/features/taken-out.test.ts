// Somebody who was added to a case by mistake, and of whom nothing is recorded in it, is taken out.
import { setTimeout } from "node:timers/promises";
import { newId } from "@app/server/core/ids";
import { definePartyTrace } from "@app/server/features/cases/party-traces.service";
import { ContactModel } from "@app/server/features/contacts/contacts.model";
import { richTextOf } from "@app/shared/rich-text";
import { forParty, PRACTICE_ONLY, SHARED } from "@app/shared/visibility";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { aContact } from "../support/access/contacts-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { aDocument, aTemplateOf } from "../support/documents/case-documents.ts";
import { doc, para } from "../support/documents/content.ts";
import { enter } from "../support/finances/disclosed.ts";
import { aLetterTo } from "../support/mail/letters.ts";
import { anAssessment, anAuthorisedPractice } from "../support/server/assessments.ts";
import { mayContact } from "../support/server/contactable.ts";
import { forAllTests } from "../support/server/lifetimes.ts";
import { aCase, aCaseInput, aClient, aMeetingInput, aStaffUser, ledBy } from "../support/server/people.ts";
import { aScreening } from "../support/server/screened.ts";
import { aPublishedForm } from "../support/server/submissions.ts";
import { startTestApp } from "../support/server/test-app.ts";

const app = forAllTests(startTestApp);
const practice = forAllTests(() => anAuthorisedPractice(app));
const WHY = "Another person of this name";

/** A case to which a third person was added by mistake. */
async function added() {
  const built = await aCase(practice, ledBy(practice.ownerId));
  const { api } = practice;
  const { id } = built.theCase;
  const now = () => api.cases.get.query({ id });
  const wrong = await api.clients.create.mutate(
    aClient({ firstName: "Wilma", lastName: "Wrong", email: `wilma.${newId()}@example.org`, phones: [] }),
  );
  const party = { clientId: wrong.id, role: "respondent" as const, side: "" };
  const { version, parties } = await api.casework.addParty.mutate({
    id,
    version: (await now()).version,
    party,
    changeId: newId(),
  });
  await api.conflicts.decide.mutate({ id: newId(), caseId: id, decision: "clear", reason: "" });
  const p3 = parties.find(({ clientId }) => clientId === wrong.id);
  if (!p3) throw new Error("nobody was added");
  const takeOut = async (partyId = p3.partyId) =>
    api.casework.takeOutParty.mutate({ id, version: (await now()).version, partyId, reason: WHY });
  const at = async () => ({ id, version: (await now()).version, partyId: p3.partyId });
  return { ...built, api, id, now, wrong, version, p3, takeOut, at };
}

test("casework.takeOutParty: they are gone from the case, the others keep their labels, and the history keeps why", async () => {
  const { api, id, first, wrong, p3, takeOut, now } = await added();
  expect(p3.label).toBe("P3");
  const after = await takeOut();
  expect(after.parties.map(({ label, funding }) => [label, funding.shareBp])).toEqual([
    ["P1", 5000],
    ["P2", 5000],
  ]);
  expect(await api.cases.ofClient.query({ id: wrong.id })).toMatchObject({ items: [] });
  const { items } = await api.timeline.list.query({ clientId: first.id });
  expect(items.map(({ text }) => text)).toContain(`P3 taken out of the case, because: ${WHY}`);
  expect((await refusal(api.partyView.preview.query({ caseId: id, partyId: p3.partyId }))).code).toBe("NOT_FOUND");
  // A label is nobody's twice.
  const party = { clientId: wrong.id, role: "respondent" as const, side: "" };
  const again = { id, version: (await now()).version, party, changeId: newId() };
  expect((await api.casework.addParty.mutate(again)).parties.map(({ label }) => label)).toEqual(["P1", "P2", "P4"]);
});

test("casework.takeOutParty: no certificate waits for them any more", async () => {
  const { api, id, p1, p2, theCase, takeOut, now } = await added();
  const whose = { caseId: id, partyId: p1.partyId, mediatorId: practice.ownerId };
  const { id: assessmentId } = await api.assessments.record.mutate(anAssessment(whose));
  await mayContact(theCase);
  const refusing = { id, version: (await now()).version, partyId: p2.partyId, on: "2026-11-20" };
  await api.casework.moveParty.mutate({ ...refusing, to: "refused", reason: "They wrote so", isOwnDecision: true });
  const noneWilling = async () =>
    (await api.certificates.choices.query({ assessmentId })).statements.find((one) => one.statement === "none_willing");
  expect(await noneWilling()).toMatchObject({ isAllowed: false });
  await takeOut();
  expect(await noneWilling()).toMatchObject({ isAllowed: true });
});

test("casework.takeOutParty: whoever was linked or named on their side stands on nobody's, and never did", async () => {
  const { api, id, p3, takeOut, at } = await added();
  const contact = async () => (await api.contacts.create.mutate(aContact({ email: `${newId()}@law.example.org` }))).id;
  const [linked, named] = [await contact(), await contact()];
  await api.contacts.link.mutate({ changeId: newId(), id: linked, caseId: id, role: "solicitor", partyId: p3.partyId });
  const { side, role, consentedOn } = p3;
  await api.casework.updateParty.mutate({
    ...(await at()),
    side,
    role,
    consentedOn,
    representativeContactIds: [named],
  });
  await takeOut();
  const { ownerId } = practice;
  for (const _id of [linked, named])
    expect(await ContactModel.findOne({ ownerId, _id }, { links: 1, sides: 1 }).lean()).toMatchObject({
      links: [],
      sides: [],
    });
});

test("casework.takeOutParty: their own letters leave as before, and nothing of the case goes to them", async () => {
  const { api, id, first, wrong, takeOut } = await added();
  const codes = async (caseId: string | null, to = wrong.email) =>
    (await api.compose.check.mutate(aLetterTo(to, { clientId: wrong.id, caseId }))).problems.map(({ code }) => code);
  const mixed = () =>
    api.compose.check.mutate(
      aLetterTo(first.email, { clientId: first.id, caseId: id, cc: [{ name: "", address: wrong.email }] }),
    );
  await takeOut();
  expect(await codes(null)).toEqual([]);
  expect((await refusal(codes(id))).code).toBe("NOT_FOUND");
  expect((await mixed()).problems.map(({ code }) => code)).toEqual(["other_party"]);
});

test("casework.takeOutParty: whoever is not to be contacted is taken out by who answers for the case alone", async () => {
  const { id, p1, takeOut, at, now } = await added();
  const said = { partyId: p1.partyId, isAgreed: false, isNamed: false, on: "2026-11-20" };
  await practice.api.casework.recordContactAgreement.mutate({ ...(await at()), ...said });
  const { api } = await aStaffUser(app, practice, { permissions: ["clients.read", "clients.write"] });
  const byStaff = api.casework.takeOutParty.mutate({ ...(await at()), reason: WHY });
  expect(await refusal(byStaff)).toMatchObject({ code: "FORBIDDEN", message: expect.stringContaining("or the owner") });
  expect((await now()).id).toBe(id);
  expect((await takeOut()).parties).toHaveLength(2);
});

test("casework.takeOutParty: whoever sees another version, or gives no reason, changes nothing", async () => {
  const { api, id, version, p3, now } = await added();
  const stale = api.casework.takeOutParty.mutate({ id, version: version - 1, partyId: p3.partyId, reason: WHY });
  expect((await refusal(stale)).code).toBe("CONFLICT");
  const nothing = api.casework.takeOutParty.mutate({ id, version, partyId: p3.partyId, reason: " " });
  expect(Object.keys((await refusal(nothing)).fields)).toEqual(["reason"]);
  expect((await now()).parties).toHaveLength(3);
});

test("casework.takeOutParty: the only party of a case stays", async () => {
  const { api } = practice;
  const { id: clientId } = await api.clients.create.mutate(aClient());
  const { id, version, parties } = await api.casework.create.mutate(aCaseInput([clientId], ledBy(practice.ownerId)));
  const alone = { id, version, partyId: parties[0]?.partyId ?? "", reason: WHY };
  expect(await refusal(api.casework.takeOutParty.mutate(alone))).toMatchObject({
    code: "PRECONDITION_FAILED",
    message: "P1 is the only party of this case. Add the right one first, or end the case.",
  });
});

describe("casework.takeOutParty: whoever something happened with stays, and it says what and what to do", () => {
  type Added = Awaited<ReturnType<typeof added>>;
  const WAYS: Record<string, (of: Added) => Promise<unknown>> = {
    "a step or an answer is recorded": async ({ api, at }) =>
      api.casework.moveParty.mutate({ ...(await at()), to: "responded", on: "2026-11-20", reason: "" }),
    "a screening is recorded": async ({ api, now, p3 }) =>
      api.screenings.complete.mutate(aScreening(await now(), p3.partyId)),
    "legal aid is recorded for them": async ({ api, now }) => {
      const { id, version, parties } = await now();
      const aided = { type: "legal_aid" as const, shareBp: 0, payerContactId: "" };
      const funded = parties.map(({ partyId }) => ({ partyId, funding: aided }));
      return api.casework.setFunding.mutate({ id, version, parties: funded });
    },
    "something is kept of them": async ({ api, id, p3, wrong }) =>
      api.notes.create.mutate({
        id: newId(),
        caseId: id,
        clientId: wrong.id,
        kind: "file_note",
        visibility: forParty(p3.partyId),
        body: richTextOf("They rang"),
      }),
    "a meeting is recorded": async ({ api, id, p3 }) =>
      api.meetings.create.mutate(aMeetingInput(practice.ownerId, { caseId: id, partyIds: [p3.partyId], type: "call" })),
    "the conflict check found a conflict": async ({ api, id }) =>
      api.conflicts.decide.mutate({ id: newId(), caseId: id, decision: "conflicted", reason: "We acted for them" }),
  };
  test.each(Object.entries(WAYS))("%s", async (what, happen) => {
    const all = await added();
    await happen(all);
    const { code, message } = await refusal(all.takeOut());
    expect(code).toBe("PRECONDITION_FAILED");
    expect(message).toContain(`P3 cannot be taken out of the case: `);
    expect(message).toContain(what);
    expect(message).toContain("or record that they withdrew");
    expect((await all.now()).parties).toHaveLength(3);
  });
});

const kept = async (made: Promise<unknown>) => ({ ok: (await refusal(made)).code === "" });
type Made = Awaited<ReturnType<typeof added>>;
type Keep = () => Promise<{ ok: boolean }>;

const LETTER = forAllTests(async () => ({ id: await aTemplateOf(practice, doc(para("Dear you"))) }));
const FORM = forAllTests(() => aPublishedForm(practice));

test.each<[string, (made: Made) => Keep]>([
  [
    "a note of them is written",
    ({ api, id, p3 }) => {
      const visibility = { ...PRACTICE_ONLY, aboutPartyIds: [p3.partyId] };
      const note = { kind: "caucus" as const, visibility, body: richTextOf("They rang") };
      return () => kept(api.notes.create.mutate({ id: newId(), caseId: id, clientId: null, ...note }));
    },
  ],
  [
    "a file for them is stored",
    ({ id, p3 }) => {
      const input = { id: newId(), clientId: null, caseId: id, name: "a.txt", visibility: forParty(p3.partyId) };
      return () =>
        fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
          method: "POST",
          headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
          body: newId(),
        });
    },
  ],
  [
    "a document is written for them",
    ({ id, p3 }) => {
      const addressee = { kind: "party" as const, partyId: p3.partyId };
      return () => kept(aDocument(practice, { caseId: id, templateId: LETTER.id, addressee }));
    },
  ],
  [
    "a link to a form is made for them",
    ({ api, id, wrong }) => {
      const link = { formId: FORM.id, clientId: wrong.id, caseId: id, days: 7 as const };
      return () => kept(api.submissions.createLink.mutate({ id: newId(), ...link }));
    },
  ],
  [
    "a letter to them is written",
    ({ api, id, wrong }) => {
      const letter = { ...aLetterTo(wrong.email, { clientId: wrong.id, caseId: id }), isInvitation: false };
      return () => kept(api.compose.send.mutate({ id: newId(), ...letter, sendAt: null }));
    },
  ],
  [
    "a figure of theirs is entered",
    ({ id, p3 }) =>
      () =>
        kept(enter(practice, id, p3.partyId)),
  ],
  [
    "a call with them is booked",
    ({ api, id, p3 }) => {
      const call = { caseId: id, partyIds: [p3.partyId], type: "call" as const, allowsOverlap: true };
      return () => kept(api.meetings.create.mutate(aMeetingInput(practice.ownerId, call)));
    },
  ],
  [
    "they are screened",
    ({ api, p3, theCase }) =>
      () =>
        kept(api.screenings.complete.mutate(aScreening(theCase, p3.partyId))),
  ],
])("casework.takeOutParty: when %s at the same moment, then one of both is refused", async (_what, keeping) => {
  for (let round = 0; round < 3; round += 1) {
    const made = await added();
    const keep = keeping(made);
    const [{ ok }, { code }] = await Promise.all([keep(), refusal(made.takeOut())]);
    expect([ok, code === ""].filter(Boolean)).toHaveLength(1);
  }
});

const keptFileSchema = z.object({ id: z.string(), version: z.number(), name: z.string(), tags: z.array(z.string()) });

let whileLooking: (of: { partyId: string }) => Promise<void> = () => Promise.resolve();
definePartyTrace("nothing", async (_scope, of) => {
  await whileLooking(of);
  return false;
});

test.each(["note", "file"] as const)(
  "casework.takeOutParty: when a %s of all becomes theirs alone at the same moment, then one of both is refused",
  async (what) => {
    const made = await added();
    const { api, id: caseId, p3, at } = made;
    const visibility = forParty(p3.partyId);
    const narrow = async () => {
      if (what === "note") {
        const input = { kind: "file_note" as const, visibility: SHARED, body: richTextOf("All met") };
        const note = await api.notes.create.mutate({ id: newId(), caseId, clientId: null, ...input });
        const change = { id: note.id, version: note.version, saveId: newId(), visibility };
        return () => api.notes.update.mutate(change);
      }
      const input = { id: newId(), clientId: null, caseId, name: "a.txt", visibility: SHARED };
      const stored = await fetch(`${app.url}/files?upload=${encodeURIComponent(JSON.stringify(input))}`, {
        method: "POST",
        headers: { origin: app.url, cookie: practice.cookies(), "content-type": "application/octet-stream" },
        body: newId(),
      });
      const { id, version, name, tags } = keptFileSchema.parse(await stored.json());
      return () => api.files.update.mutate({ id, version, name, tags, visibility });
    };
    const change = await narrow();
    const theirs = { ...(await at()), reason: WHY };
    // It has looked at everything else by then, and found nothing: a replica set lets the other go on meanwhile.
    const looked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    whileLooking = async ({ partyId }) => {
      if (partyId !== p3.partyId) return;
      looked.resolve();
      await goOn.promise;
    };
    const out = refusal(api.casework.takeOutParty.mutate(theirs));
    await looked.promise;
    const narrowed = refusal(change());
    await Promise.race([narrowed, setTimeout(500)]);
    goOn.resolve();
    const answers = await Promise.all([out, narrowed]);
    expect(answers.filter(({ code }) => code === "")).toHaveLength(1);
  },
);
