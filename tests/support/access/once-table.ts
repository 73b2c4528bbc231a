// Of every call that changes something: whether it is done once for each id that its sender chose, or why it need not.
import { forParty } from "@app/shared/visibility";
import { aFigure } from "../finances/disclosed.ts";
import { aPrice } from "../server/invoiced.ts";
import type { Target } from "./door.ts";
import { doorOf } from "./access-scenario.ts";

export type Input = Record<string, unknown>;

export interface OnceCase {
  /** Where the sender puts the id; `note` means the id of the note in it. */
  key: "id" | "changeId" | "newId" | "note";
  /** Some other content, to be refused under the same id. */
  other: (target: Target) => Input;
  /** A valid input, where that of the table of doors is refused. */
  input?: (target: Target) => Input;
}

const created = (other: Input | ((target: Target) => Input)): OnceCase => ({
  key: "id",
  other: (target) => (typeof other === "function" ? other(target) : other),
});
const changed = (other: Input, input?: OnceCase["input"]): OnceCase => ({
  key: "changeId",
  other: () => other,
  ...(input ? { input } : {}),
});

export const ONCE: Record<string, OnceCase> = {
  "clients.create": created({ knownAs: "May" }),
  "intake.create": created({ other: null }),
  "contacts.create": created({ notes: "Other words" }),
  "contacts.link": changed({ role: "expert" }),
  "casework.create": created({ matter: "Something else" }),
  "casework.addParty": changed({ version: 1 }),
  "casework.inviteParty": changed({ channel: "post" }),
  "conflicts.decide": created({ decision: "flagged", reason: "Look again" }),
  "assessments.record": created({ minutes: 61 }),
  "assessments.recordElsewhere": created({ service: "Another service" }),
  "certificates.issue": created({ replaceReason: "Lost" }),
  "screenings.complete": created({ reasons: "Other words" }),
  "prices.create": created({ price: aPrice({ name: "Other words" }).price }),
  "invoices.create": created({ notes: "Other words" }),
  "invoices.split": created({ notes: "Other words" }),
  "safeguarding.add": created({ concern: "Other words" }),
  "safeguarding.report": created({ concern: "Other words" }),
  "safeguarding.amend": changed({ why: "Other words" }),
  "safeguarding.complete": changed({ concern: "Other words" }),
  "safeguarding.dismiss": changed({ why: "Other words" }),
  "tasks.create": created({ title: "Chase other figures" }),
  "notes.create": created(({ caseId }) => ({ caseId, kind: "phone" })),
  "notes.release": {
    key: "newId",
    other: ({ partyId }) => ({
      consent: { grantedByPartyId: partyId, at: "2026-01-05T10:00:00.000Z", how: "By mail" },
    }),
  },
  "files.release": { key: "newId", other: ({ partyId }) => ({ readers: forParty(partyId) }) },
  "finances.addFigure": created(({ partyId }) => ({ partyId, figure: { ...aFigure(), amountMinor: 7 } })),
  "sessions.create": created(({ meetingId }) => ({ meetingId })),
  "sessions.start": created(({ meetingId }) => ({ meetingId })),
  "sessions.record": created({ unmetReason: "Other words" }),
  "sessions.setTimes": changed({ reason: "Other words" }),
  "sessions.addNote": {
    key: "note",
    other: () => ({
      note: {
        kind: "phone",
        visibility: { scope: "staff", partyIds: [], aboutPartyIds: [] },
        body: { type: "doc", content: [] },
      },
    }),
  },
  "sessions.update": changed({ minutes: 31 }),
  "sessions.reviewSafety": changed({ note: "Other words" }),
  "sessions.move": changed({ to: "cancelled" }),
  "sessions.setPaused": changed({ isPaused: false }),
  "sessions.setAttendance": changed({ state: "late" }),
  "sessions.saveTopic": changed({
    topic: { id: "topic", topic: "House", privilege: "none", minutes: 20, isDone: false },
  }),
  "sessions.removeTopic": changed({ topicId: "other-topic" }),
  "sessions.addProposal": changed({ text: "Sell in autumn" }),
  "sessions.setProposalStatus": changed({ to: "agreed_in_principle" }),
  "sessions.releaseProposal": changed({ newProposalId: "another-proposal" }),
  "sessions.saveNextStep": changed({ step: { id: "other-step", text: "Ask twice", partyId: null, dueOn: null } }),
  "sessions.removeNextStep": changed({ stepId: "another-step" }),
  "sessions.amend": changed({ text: "The time was wrong" }),
  "documents.create": created({ name: "Other words" }),
  "documents.copy": created(({ markedDocumentId }) => ({ documentId: markedDocumentId })),
  "documentTemplates.create": created({ name: "Other words" }),
  "documentTemplates.copy": created(({ renamedTextId }) => ({ templateId: renamedTextId })),
  "forms.create": created({ name: "Other words" }),
  "forms.copy": created(({ publishableFormId }) => ({ formId: publishableFormId })),
  "forms.publish": changed({ version: 1 }),
  "submissions.createLink": created({ days: 14 }),
  "submissions.sendLink": changed({ words: "Other words" }),
  "submissions.remind": changed({ words: "Other words" }),
  "leads.write": changed({ text: "Other words" }),
  "submissions.decide": changed({ text: "Other words" }),
  "signatures.remind": changed({ signerId: "another-party" }),
  "signatures.extend": changed({ days: 14 }),
  "meetings.create": created({ title: "Another title" }),
  "bookings.createLink": created({ name: "Other words" }),
  "rooms.create": created({ notes: "Other words" }),
  "meetings.reschedule": changed({ reason: "Other words" }),
  "meetings.cancel": changed({ reason: "Other words" }),
  "compose.send": created({ subject: "Other words" }),
  "invoices.send": changed({ id: "another-invoice" }),
  "outbox.retry": changed({ id: "another-mail" }),
  "mailTemplates.create": created({ subject: "Other words" }),
  "mailings.create": created({ subject: "Other words" }),
  "mailings.start": changed({ id: "another-mailing" }),
  "mailings.resend": changed({ id: "another-item" }),
  "suppressions.add": created({ address: "other@example.org" }),
  "leads.create": created({ channel: "email" }),
  "leads.convert": changed({ version: 4 }),
  "staff.invite": created({ firstName: "Tim" }),
};

/** Asked for over a mailbox, or after a session that was held: tested where there is one. */
export const ONCE_ELSEWHERE = [
  "bookings.createPair",
  "inbox.fileAttachment",
  "certificates.issueMediation",
  // Of a PDF.
  "signatures.create",
];

const VERSION = "carries the version that it changes, so that it fits once";
const STATE = "moves from one state to another, which it can do once";
const REPLACES = "puts the same thing in the place of what was there";
const LOOKS = "changes nothing";
const SIGNS_IN = "proves who somebody is, each time anew";
const FORM = "carries the token of a form, which is taken once";
const LINK = "uses up a link, or an address that can have one account";

/** Every other change, and why it carries no id. */
export const NOT_ONCE: Record<string, string> = {
  "auth.acceptInvitation": LINK,
  "auth.changePassword": REPLACES,
  "auth.confirmIdentity": SIGNS_IN,
  "auth.confirmRegistration": LINK,
  "auth.disableTwoFactor": STATE,
  "auth.enableTwoFactor": STATE,
  "auth.endDevice": STATE,
  "auth.register": LINK,
  "auth.requestPasswordReset":
    "is nobody's yet, so it has no sender; each further mail makes the links before it useless",
  "auth.requireConfirmation": LOOKS,
  "auth.resetPassword": LINK,
  "auth.setUp": LINK,
  "auth.signIn": SIGNS_IN,
  "auth.signOut": STATE,
  "auth.signOutEverywhere": STATE,
  "auth.startTwoFactor": REPLACES,
  "auth.verifySecondFactor": SIGNS_IN,
  "casework.changeConfidences": VERSION,
  "casework.correct": VERSION,
  "casework.correctAgreement": VERSION,
  "casework.correctDay": VERSION,
  "casework.endDisclosure": VERSION,
  "casework.move": VERSION,
  "casework.moveParty": VERSION,
  "casework.recordContactAgreement": VERSION,
  "casework.recordDisclosure": VERSION,
  "casework.returnInvitation": VERSION,
  "casework.setFunding": VERSION,
  "casework.strikeInvitation": VERSION,
  "casework.takeOutParty": VERSION,
  "casework.update": VERSION,
  "casework.updateParty": VERSION,
  "assessments.correct": VERSION,
  "assessments.strike": VERSION,
  "screenings.confirm": STATE,
  "screenings.strike": STATE,
  "certificates.use": STATE,
  "certificates.void": STATE,
  "prices.update": VERSION,
  "prices.setArchived": STATE,
  "invoices.update": VERSION,
  "invoices.remove": VERSION,
  "invoices.issue": VERSION,
  "invoices.void": VERSION,
  "invoices.credit": VERSION,
  "invoices.useCredit": VERSION,
  "invoices.setSettings": VERSION,
  "clients.confirmContact": VERSION,
  "clients.setStatus": STATE,
  "clients.update": VERSION,
  "contacts.setStatus": STATE,
  "contacts.unlink": STATE,
  "contacts.update": VERSION,
  "files.move": REPLACES,
  "files.remove": STATE,
  "files.restore": STATE,
  "files.update": VERSION,
  "documents.attend": "says who has the text open at the moment, again and again",
  "documents.finish": VERSION,
  "documents.mark": VERSION,
  "documents.recordApproval": REPLACES,
  "documents.save": VERSION,
  "documents.setRemoved": STATE,
  "documentTemplates.attend": "says who has the text open at the moment, again and again",
  "documentTemplates.rename": VERSION,
  "documentTemplates.save": VERSION,
  "documentTemplates.setStatus": STATE,
  "finances.updateFigure": VERSION,
  "finances.setFigureRemoved": STATE,
  "finances.takeOver": VERSION,
  "finances.decide": VERSION,
  "finances.setNone": VERSION,
  "finances.setComplete": VERSION,
  "finances.pair": VERSION,
  "finances.agree": VERSION,
  "finances.takeBackAgreed": VERSION,
  "finances.exchange": VERSION,
  "forms.save": VERSION,
  "forms.setSharing": REPLACES,
  "forms.setStatus": STATE,
  "submissions.filling.open": "notes once that a link was opened",
  "submissions.filling.save": "puts each answer in the place of an older one, whatever came first",
  "submissions.filling.submit": "carries an id of its own, because nobody is signed in (submissions.test.ts)",
  "submissions.filling.mailLink": "carries an id of its own, because nobody is signed in (submissions-mails.test.ts)",
  "submissions.filling.mailReceipt":
    "carries an id of its own, because nobody is signed in (submissions-mails.test.ts)",
  "signatures.signing.open": "notes once that a document was opened",
  "signatures.signing.sign": STATE,
  "signatures.signing.decline": STATE,
  "signatures.newCode": "makes another code each time, which ends the one before",
  "signatures.signing.prove": SIGNS_IN,
  "signatures.certificate.add": REPLACES,
  "signatures.certificate.remove": STATE,
  "signatures.own.open": "notes once that a document was opened",
  "signatures.own.sign": STATE,
  "signatures.showLink": "notes each time that a link was shown",
  "signatures.void": STATE,
  "submissions.filling.removeFile": STATE,
  "submissions.revokeLink": STATE,
  "submissions.setStatus": VERSION,
  "submissions.setSuspect": STATE,
  "submissions.assign": VERSION,
  "submissions.unassign": VERSION,
  "imports.cancel": STATE,
  "imports.check": REPLACES,
  "imports.discard": STATE,
  "imports.start": STATE,
  "imports.undo": STATE,
  "ladders.update": VERSION,
  "outbox.cancel": STATE,
  "safeguarding.setOfficer": REPLACES,
  "compose.check": LOOKS,
  "compose.discardDraft": STATE,
  "compose.saveDraft": VERSION,
  "outbox.sendNow": STATE,
  "outbox.settleBounce": STATE,
  "leads.erase": STATE,
  "leads.setSpam": STATE,
  "leads.lookAtConflict": VERSION,
  "leads.lose": VERSION,
  "leads.move": VERSION,
  "leads.noteCall": VERSION,
  "leads.reopen": VERSION,
  "leads.setSettings": REPLACES,
  "leads.update": VERSION,
  "mailTemplates.remove": STATE,
  "mailTemplates.restore": STATE,
  "mailTemplates.update": VERSION,
  "mailboxes.check": LOOKS,
  "mailboxes.connect": REPLACES,
  "mailboxes.disconnect": STATE,
  "mailboxes.finishSignIn": LINK,
  "mailboxes.lookUp": LOOKS,
  "mailboxes.share": REPLACES,
  "mailboxes.startSignIn": "begins a sign-in elsewhere, which only its last page can end",
  "mailings.cancel": STATE,
  "mailings.pause": STATE,
  "suppressions.remove": STATE,
  "mailings.settleBounce": STATE,
  "meetings.importBusy": REPLACES,
  "meetings.makeFeed": REPLACES,
  "meetings.noteAgreedTime": REPLACES,
  "meetings.noteOther": REPLACES,
  "bookings.answer": FORM,
  "bookings.book": FORM,
  "bookings.cancel": FORM,
  "bookings.endPair": STATE,
  "bookings.hold": REPLACES,
  "bookings.letGo": STATE,
  "bookings.move": FORM,
  "bookings.pick": FORM,
  "bookings.setLinkArchived": STATE,
  "bookings.updateLink": VERSION,
  "rooms.setStatus": STATE,
  "rooms.update": VERSION,
  "meetings.removeBusy": STATE,
  "meetings.revokeFeed": STATE,
  "meetings.setAttendance": REPLACES,
  "meetings.setAvailability": VERSION,
  "meetings.setStatus": VERSION,
  "meetings.settleReply": STATE,
  "meetings.update": VERSION,
  "notes.remove": STATE,
  "notes.restore": STATE,
  "notes.restoreVersion": VERSION,
  "notes.update": VERSION,
  "letterheads.removeLogo": STATE,
  "practices.update": VERSION,
  "subscriptions.openPortal": LOOKS,
  "subscriptions.startCheckout": "has an id of its own at the provider, the same one for an hour",
  "support.reportError": "sends one mail for each cause in five minutes, whoever reports it",
  "tasks.setStatus": STATE,
  "tasks.update": VERSION,
  "staff.reactivate": STATE,
  "staff.removeInvitation": STATE,
  "staff.confirmAccreditation": STATE,
  "staff.suspend": STATE,
  "staff.update": VERSION,
  "users.updateProfile": VERSION,
};

/** A valid input of a call that is done once, under this id. */
export function inputUnder(path: string, target: Target, id: string): Input {
  const made = ONCE[path]?.input?.(target) ?? doorOf(path).input?.(target);
  return named(path, typeof made === "object" && made !== null ? { ...made } : {}, id);
}

/** The same id over other content. */
export const otherUnder = (path: string, target: Target, id: string): Input =>
  named(path, { ...inputUnder(path, target, id), ...ONCE[path]?.other(target) }, id);

function named(path: string, input: Input, id: string): Input {
  const key = ONCE[path]?.key ?? "id";
  if (key !== "note") return { ...input, [key]: id };
  const { note } = input;
  return { ...input, note: { ...(typeof note === "object" ? note : {}), id } };
}
