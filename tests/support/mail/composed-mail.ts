// Messages that somebody writes: whatever may be attached, answered or addressed is tried for each party.
import { newId } from "@app/server/core/ids";
import type { Scope } from "@app/server/core/trpc";
import { contactsOfCase } from "@app/server/features/contacts/contact-links.service";
import { FileModel } from "@app/server/features/files/files.model";
import { checkMail, sendLetter } from "@app/server/features/compose/compose.service";
import { filesOf } from "@app/server/features/outbox/outbox-files";
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import type { Party } from "@app/shared/cases";
import type { MailDraft } from "@app/shared/mail-check";
import { PRACTICE_ONLY } from "@app/shared/visibility";
import { expect } from "vitest";
import type { BuiltCase } from "../visibility/random-case.ts";
import { aLetterTo } from "../mail/letters.ts";

const OUTSIDER = "registry@court.example.org";

const emailOf = ({ theCase, secrets }: BuiltCase, { partyId }: Party): string => {
  const person = secrets.find(({ kind, readers }) => kind === "person" && readers.has(partyId));
  if (!person) throw new Error(`no person in ${theCase.caseRef}`);
  return `${person.canary}@example.org`;
};

const aDraft = (built: BuiltCase, party: Party, overrides: Partial<MailDraft> = {}): MailDraft =>
  aLetterTo(emailOf(built, party), { clientId: party.clientId, caseId: built.theCase.id, ...overrides });

/** Each message is refused, while it is written and when it is sent, exactly where it would tell too much. */
export async function checkComposed(scope: Scope, built: BuiltCase, refusal: Refusal): Promise<void> {
  const sent = new Map<string, string>();
  for (const party of built.theCase.parties) sent.set(party.partyId, await checkFiles(scope, built, party, refusal));
  for (const party of built.theCase.parties) {
    await checkPeople(scope, built, party, refusal);
    await checkAnswers(scope, built, party, sent);
  }
}

type Refusal = (call: Promise<unknown>) => Promise<string | null>;

const codes = async (scope: Scope, draft: MailDraft) =>
  (await checkMail(scope, draft)).problems.map(({ code }) => code);

const send = (scope: Scope, draft: MailDraft) => sendLetter(scope, { ...draft, kept: null, sendAt: null });

/** Tries every file of the case; gives the message that went, with all that this party may read. */
async function checkFiles(scope: Scope, built: BuiltCase, party: Party, refusal: Refusal): Promise<string> {
  const docs = await FileModel.find({ ownerId: scope.ownerId, caseId: built.theCase.id }).lean();
  const readable: string[] = [];
  for (const { _id, name, releasedFromId } of docs) {
    // Two files bear the name of what was released, and not both of them are for everybody.
    if (releasedFromId !== null || docs.some((doc) => doc.releasedFromId === _id)) continue;
    const mayGo = built.secrets.some(({ canary, readers }) => name.startsWith(canary) && readers.has(party.partyId));
    const draft = aDraft(built, party, { fileIds: [_id] });
    expect({ name, codes: await codes(scope, draft) }).toEqual({ name, codes: mayGo ? [] : ["file"] });
    const outside = { ...draft, cc: [{ name: "", address: OUTSIDER }], saysNothingTo: [] };
    // Whatever it is marked as. Of one that does not go at all, nothing more is said.
    const problems = mayGo ? ["outsider", "words"] : ["words", "file"];
    expect({ name, codes: await codes(scope, outside) }).toEqual({ name, codes: problems });
    if (mayGo) readable.push(_id);
    else expect(await refusal(send(scope, draft))).toContain("PARTY_LEAK");
    // The client's own correspondence is not of the case: nothing of it goes there.
    expect(await codes(scope, { ...draft, caseId: null })).toEqual(["file"]);
  }
  const { id } = await send(scope, aDraft(built, party, { fileIds: readable }));
  await checkDelivery(id);
  const doc = await OutboxModel.findOne({ ownerId: scope.ownerId, _id: id }).lean();
  return doc?.messageId ?? newId();
}

/** A file that was taken from this party after the message was written does not leave with it. */
async function checkDelivery(mailId: string): Promise<void> {
  const mail = await OutboxModel.findOne({ _id: mailId }).setOptions({ anyOwner: true }).lean();
  if (!mail) throw new Error("the message that was just sent is missing");
  const content = contentOf(mail);
  const [first] = content.files;
  if (!first) return;
  const place = { ownerId: mail.ownerId, _id: first.fileId };
  const before = await FileModel.findOne(place).lean();
  await FileModel.updateOne(place, { $set: { visibility: PRACTICE_ONLY } });
  await expect(filesOf(mail, content)).rejects.toThrow("may no longer be read");
  await FileModel.updateOne(place, { $set: { visibility: before?.visibility } });
  expect((await filesOf(mail, content)).files).toHaveLength(content.files.length);
}

/** Nobody of another side gets it, neither at first hand nor as a copy. */
async function checkPeople(scope: Scope, built: BuiltCase, party: Party, refusal: Refusal): Promise<void> {
  const contacts = await contactsOfCase(scope, built.theCase.id);
  const others = [
    ...built.theCase.parties.filter((other) => other !== party).map((other) => emailOf(built, other)),
    ...contacts.filter(({ partyId }) => partyId !== null && partyId !== party.partyId).map(({ email }) => email),
  ].filter(Boolean);
  for (const address of others) {
    const draft = aDraft(built, party, { cc: [{ name: "A friend", address }] });
    expect({ address, codes: await codes(scope, draft) }).toEqual({ address, codes: ["other_party"] });
    expect(await refusal(send(scope, draft))).toContain("PARTY_LEAK");
  }
}

/** What was written to one party is quoted to no other. */
async function checkAnswers(scope: Scope, built: BuiltCase, party: Party, sent: Map<string, string>): Promise<void> {
  for (const [partyId, inReplyTo] of sent) {
    const found = await codes(scope, aDraft(built, party, { inReplyTo }));
    expect(found).toEqual(partyId === party.partyId ? [] : ["other_party"]);
  }
}
