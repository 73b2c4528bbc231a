// How somebody comes to the places of the demonstration practice where dialogs are opened.
import { randomUUID } from "node:crypto";
import type { Case } from "@app/shared/cases";
import { updateClientSchema } from "@app/shared/clients";
import { plainText, type RichText, richTextOf } from "@app/shared/rich-text";
import { caucusOf } from "@app/shared/visibility";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { DEMO_PASSWORD } from "../../../scripts/demo-account.ts";
import type { Sample } from "../../../scripts/demo-sign-in.ts";
import type { DialogCase } from "./dialog-manners.ts";
import { anUnscreenedMiam } from "../server/assessments.ts";
import { aFormContent, aFormInput, aFormPage, aShortText } from "../server/forms.ts";
import { aMeetingInput } from "../server/people.ts";
import { answered, placeIn } from "../server/submissions.ts";
import { type Stage, withDatabase } from "./e2e.ts";

export interface Place {
  page: Page;
  stage: Stage;
  sample: Sample;
}

export interface DialogRow extends DialogCase {
  /** Makes what the dialog is about. */
  before?: (place: Place) => Promise<unknown>;
  at: (place: Place) => string | Promise<string>;
  /** What is opened or written first on that page. */
  around?: (place: Place) => Promise<unknown>;
}

export const button =
  (name: string | RegExp): DialogCase["opener"] =>
  (page) =>
    page.getByRole("button", { name, exact: true }).first();

async function answerOf(reply: { text: () => Promise<string>; ok: () => boolean }) {
  if (!reply.ok()) throw new Error(await reply.text());
  return JSON.parse(await reply.text()).result.data;
}
export const ask = async ({ page }: Place, call: string, input?: object) =>
  answerOf(await page.request.get(`/trpc/${call}?${new URLSearchParams(input && { input: JSON.stringify(input) })}`));
export const tell = async ({ page, stage }: Place, call: string, input: object) =>
  answerOf(await page.request.post(`/trpc/${call}`, { data: input, headers: { origin: stage.product.url } }));

export const ofClient =
  (tab: string) =>
  ({ sample }: Place) =>
    `/clients/view/${sample.clientId}?tab=${tab}`;
export const ofCase =
  (status: Case["status"], tab = "case") =>
  async (place: Place) => {
    const { items } = await ask(place, "cases.list", { page: 1, search: "", status });
    return `/clients/view/${items[0].parties[0].clientId}?tab=${tab}&case=${items[0].id}`;
  };
/** A case that was paused, on its page: what was done last can be taken back. */
export async function ofPausedCase(place: Place): Promise<string> {
  const { items } = await ask(place, "cases.list", { page: 1, search: "", status: "in_mediation" });
  const { id, version } = await ask(place, "cases.get", { id: items[0].id });
  await tell(place, "casework.move", { id, version, to: "paused", reason: "They wait for a valuation" });
  return `/clients/view/${items[0].parties[0].clientId}?tab=case&case=${id}`;
}
export const at = (address: string) => () => address;

let draftId = "";
/** A form of one question that nobody can fill in yet. */
export async function makeDraft(place: Place): Promise<void> {
  const content = aFormContent([aFormPage("first", [aShortText("town", { mapTo: "client.needs" })])]);
  const draft = { id: randomUUID(), ...aFormInput({ content, name: "Draft of a day" }) };
  draftId = (await tell(place, "forms.create", draft)).id;
}
export const ofDraft = () => `/settings/forms/create/${draftId}`;
export const ofLeadForm = ({ sample }: Place) => `/leads/forms/edit/${sample.leadFormId}`;

/** Everybody's answers to a form that the client filled in. */
export async function ofAnswered(place: Place): Promise<string> {
  await makeDraft(place);
  await tell(place, "forms.publish", { id: draftId, version: 0, changeId: randomUUID() });
  const whose = { formId: draftId, clientId: place.sample.clientId, caseId: null };
  const { id } = await tell(place, "submissions.createLink", { id: randomUUID(), ...whose, days: 30 });
  await fillIn(place, (await ask(place, "submissions.openLink", { id })).address);
  return `/settings/forms?answers=${draftId}`;
}

async function fillIn(place: Place, address: string): Promise<void> {
  const at = placeIn(address);
  const { formToken, revision, number } = await tell(place, "submissions.filling.open", at);
  // Nobody fills in a form sooner.
  await place.page.waitForTimeout(4000);
  const sent = { ...at, number, revision, changes: answered({ town: "Hull" }), pageId: null, formToken, website: "" };
  await tell(place, "submissions.filling.submit", { ...sent, id: randomUUID() });
}

/** Answers by the general address, of which something was taken over into the record of the wrong client. */
export async function ofTakenOver(place: Place): Promise<string> {
  await makeDraft(place);
  await tell(place, "forms.publish", { id: draftId, version: 0, changeId: randomUUID() });
  await fillIn(place, (await ask(place, "submissions.generalAddress", { id: draftId })).address);
  const [{ id, version }] = (await ask(place, "submissions.list", { formId: draftId })).items;
  const whose = { id, version, clientId: place.sample.clientId, caseId: null };
  const given = await tell(place, "submissions.assign", whose);
  const { clientVersion } = given;
  const decided = { changeId: randomUUID(), fieldId: "town", decision: "accepted", text: "" };
  await tell(place, "submissions.decide", { id, version: given.version, clientVersion, ...decided });
  return `/settings/forms?answers=${draftId}`;
}

/** Makes a link to a published form for the client. */
export async function sendForm(place: Place): Promise<void> {
  const { items } = await ask(place, "submissions.forms", { page: 1, search: "" });
  const whose = { formId: items[0].id, clientId: place.sample.clientId, caseId: null };
  await tell(place, "submissions.createLink", { id: randomUUID(), ...whose, days: 30 });
}
/** Sends the client's agreement out to be signed by everybody who takes part, with a code where it is said. */
export async function sendOut(place: Place, isCodeAsked = false): Promise<void> {
  const { items } = await ask(place, "files.list", {
    clientId: place.sample.clientId,
    page: 1,
    search: "agreement to",
  });
  const [{ id: fileId, caseId }] = items;
  const { parties } = await ask(place, "cases.get", { id: caseId });
  const signers = parties
    .filter(({ leftAt }: Case["parties"][number]) => leftAt === null)
    .map(({ partyId }: Case["parties"][number]) => ({ kind: "party", id: partyId }));
  const how = { isInOrder: false, isCodeAsked, isAgreement: false, confidences: null, days: 14, words: "" };
  await tell(place, "signatures.create", { id: randomUUID(), fileId, signers, ...how });
}
/** The same, of whoever is signed in as the mediator too. */
export async function sendOutToMediator(place: Place): Promise<void> {
  const { items } = await ask(place, "files.list", {
    clientId: place.sample.clientId,
    page: 1,
    search: "agreement to",
  });
  const [{ id: fileId, caseId }] = items;
  const ownerId = await withDatabase(place.stage, async (database) => {
    const owner = await database.collection<{ _id: string }>("users").findOne({ role: 1 });
    const userId = owner?._id ?? "";
    await database
      .collection<{ _id: string }>("cases")
      .updateOne({ _id: caseId }, { $set: { mediators: [{ userId, isLead: true }] } });
    return userId;
  });
  const { parties } = await ask(place, "cases.get", { id: caseId });
  const party = parties.find(({ leftAt }: Case["parties"][number]) => leftAt === null);
  const signers = [
    { kind: "party", id: party.partyId },
    { kind: "mediator", id: ownerId },
  ];
  const how = { isInOrder: false, isCodeAsked: false, isAgreement: false, confidences: null, days: 14, words: "" };
  await tell(place, "signatures.create", { id: randomUUID(), fileId, signers, ...how });
}
/** As if the owner had added a certificate to seal with. */
export async function addCertificate({ stage }: Place): Promise<void> {
  await withDatabase(stage, async (database) => {
    const owner = await database.collection<{ _id: string }>("users").findOne({ role: 1 });
    const ownerId = owner?._id ?? "";
    const times = { startsAt: new Date("2026-01-05"), endsAt: new Date("2036-01-05"), addedAt: new Date("2026-01-05") };
    const about = {
      subject: "Quillfeather Mediation",
      issuer: "Trusted Seals",
      addedByName: "Somebody",
      keyEnc: "none",
    };
    await database
      .collection<{ _id: string }>("seal_certificates")
      .updateOne({ _id: ownerId }, { $set: { ownerId, certificates: [], ...times, ...about } }, { upsert: true });
  });
}
/** A case with somebody of whom nothing is recorded yet, and their name. */
export async function ofUninvited(place: Place): Promise<{ address: string; name: string }> {
  const { items } = await ask(place, "cases.list", { page: 1, search: "" });
  for (const { id } of items) {
    const { parties } = await ask(place, "cases.get", { id });
    for (const { clientId, name, status, lastStep } of parties.length > 1 ? parties : [])
      if (status === "to_invite" && !lastStep)
        return { address: `/clients/view/${clientId}?tab=case&case=${id}`, name };
  }
  throw new Error("everybody was invited");
}

/** The sessions of a case in which somebody is called soon, of which a session can be made. */
export async function ofCalledCase(place: Place): Promise<string> {
  const { items } = await ask(place, "cases.list", { page: 1, search: "", status: "in_mediation" });
  const { id, parties, mediators } = await ask(place, "cases.get", { id: items[0].id });
  const call = { type: "call" as const, caseId: id, partyIds: [parties[0].partyId], allowsOverlap: true };
  await tell(place, "meetings.create", aMeetingInput(mediators[0].userId, call));
  return `/clients/view/${parties[0].clientId}?tab=meetings&case=${id}`;
}

/** The sessions of the case that the session is of. */
export async function ofCaseOfSession(place: Place): Promise<string> {
  const { caseId } = await ask(place, "sessions.get", { id: place.sample.sessionId });
  const { parties } = await ask(place, "cases.get", { id: caseId });
  return `/clients/view/${parties[0].clientId}?tab=meetings&case=${caseId}`;
}

export const ofSession = ({ sample }: Place) => `/sessions/${sample.sessionId}`;

export const OUTCOME = { code: "agreed_some", text: "" };
/** Puts the session where this dialog belongs, as if somebody had come so far. */
export const session = (state: object) => ({
  at: ofSession,
  before: ({ stage, sample }: Place) =>
    withDatabase(stage, (database) =>
      database.collection<{ _id: string }>("sessions").updateOne({ _id: sample.sessionId }, { $set: state }),
    ),
});
export const RUNNING = { status: "in_progress", outcome: null };

/** A session that is to begin at once, of people for whose safety something was agreed that it goes without. */
export const toBeginWithout = {
  at: ofSession,
  before: async (place: Place) => {
    await session({ status: "scheduled", outcome: null, meetingId: null }).before(place);
    const { caseId } = await ask(place, "sessions.get", { id: place.sample.sessionId });
    const found = { suitable: "yes_with_measures", measures: ["shuttle"] };
    await withDatabase(place.stage, (database) =>
      database.collection("screenings").updateMany({ caseId }, { $set: found }),
    );
  },
};

export async function addPrivateProposal(place: Place): Promise<void> {
  const { id, caseId } = await ask(place, "sessions.get", { id: place.sample.sessionId });
  const { parties } = await ask(place, "cases.get", { id: caseId });
  const byPartyId = parties[0].partyId;
  const words = { issue: "The house", text: "A year’s grace", visibility: caucusOf(byPartyId), countersId: null };
  const ids = { id, changeId: randomUUID(), proposalId: randomUUID() };
  await tell(place, "sessions.addProposal", { ...ids, ...words, byPartyId, release: null });
}

export const invited = () => ({
  id: randomUUID(),
  email: `${randomUUID()}@example.org`,
  firstName: "Una",
  lastName: "Moss",
  role: 3,
});

/** Imports two clients. */
export async function importTwo({ page }: Place): Promise<void> {
  await page.goto("/account?tab=data");
  await page.getByRole("link", { name: "Import a list" }).click();
  await page.waitForURL("**import=new**");
  const rows = [1, 2].map((each) => `Zelda,Quick${randomUUID().slice(0, 6)},zelda${each}.${randomUUID()}@example.org`);
  const buffer = Buffer.from(["First name,Last name,Email", ...rows].join("\n"));
  await page.locator("input[type=file]").setInputFiles({ name: "two.csv", mimeType: "text/csv", buffer });
  await button("Check all rows")(page).click();
  await button("Import now")(page).click();
  await page.getByText("2 clients imported").waitFor();
}

export async function archiveOne(place: Place): Promise<void> {
  await importTwo(place);
  const { items } = await ask(place, "clients.list", { page: 1, search: "Zelda" });
  await tell(place, "clients.setStatus", { ids: items.map(({ id }: { id: string }) => id), status: "archived" });
}

/** Changes the name of a client here and, meanwhile, elsewhere. */
export async function changeTwice(place: Place): Promise<void> {
  await place.page.getByLabel("First name").fill("Here");
  const { id, version, ...stored } = await ask(place, "clients.get", { id: place.sample.clientId });
  const known = Object.keys(updateClientSchema.shape.client.shape).map((key) => [key, stored[key]]);
  const client = { ...Object.fromEntries(known), firstName: "Elsewhere" };
  await tell(place, "clients.update", { id, version, client });
}

/** Opens a note, and changes it elsewhere while it is open. */
export async function changeNote(place: Place, words: string, open: () => Promise<unknown>): Promise<void> {
  const address = new URL(place.page.url());
  const clientId = address.pathname.split("/").at(-1);
  const { items } = await ask(place, "cases.ofClient", { id: clientId });
  const notes = await ask(place, "notes.list", { caseId: items[0].id, page: 1 });
  const { id, version } = notes.items.find(({ body }: { body: RichText }) => plainText(body).startsWith(words));
  await open();
  const body = richTextOf(`${words}, said somebody else.`);
  await tell(place, "notes.update", { id, version, saveId: randomUUID(), body });
}

/** The first case that is assessed and that whoever is signed in mediates. */
async function ownAssessed(place: Place): Promise<Case> {
  const { items } = await ask(place, "cases.list", { page: 1, search: "", status: "assessing" });
  const { user } = await ask(place, "auth.status", {});
  const all: Case[] = await Promise.all(items.map(({ id }: Case) => ask(place, "cases.get", { id })));
  const own = all.find(({ mediators }) => mediators.some(({ userId }) => userId === user.userId));
  if (!own) throw new Error("nobody is assessed by whoever is signed in");
  return own;
}

export async function ofOwnAssessed(place: Place): Promise<string> {
  const { id, parties } = await ownAssessed(place);
  return `/clients/view/${parties[0]?.clientId}?tab=case&case=${id}`;
}

/** Of the MIAM of its first party. */
export async function issueCertificate(place: Place): Promise<void> {
  const { id: caseId, parties } = await ownAssessed(place);
  const { items } = await ask(place, "assessments.list", { caseId });
  const own = items.find(
    (each: { partyId: string; isComplete: boolean }) => each.partyId === parties[0]?.partyId && each.isComplete,
  );
  const issued = { id: randomUUID(), assessmentId: own.id, statements: [], replaceReason: "Typing error" };
  await tell(place, "certificates.issue", issued);
}

/** Of another day, without a certificate. */
export async function recordMiam(place: Place): Promise<void> {
  const { items } = await ask(place, "users.colleagues");
  const { userId } = items.find((each: { isAuthorised: boolean }) => each.isAuthorised);
  const attendedOn = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const { id: caseId, parties } = await ownAssessed(place);
  const whose = { caseId, partyId: parties[0]?.partyId ?? "", mediatorId: userId };
  await tell(place, "assessments.record", anUnscreenedMiam(whose, { attendedOn }));
}

/** Switches on the second factor of whoever is signed in. */
export async function withSecondFactor(place: Place): Promise<void> {
  const { secret } = await tell(place, "auth.startTwoFactor", { password: DEMO_PASSWORD });
  await tell(place, "auth.enableTwoFactor", { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
}

/** As if everybody had last entered their password so long ago. */
export const confirmedBefore = ({ stage }: Place, minutes: number) =>
  withDatabase(stage, (database) =>
    database
      .collection("auth_sessions")
      .updateMany({}, { $set: { confirmed_at: new Date(Date.now() - minutes * 60_000) } }),
  );
