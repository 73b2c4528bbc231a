import { existsSync } from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../../..");

declare global {
  /** Whether a line that may be taken out stands this time. */
  var isKept: (name: string) => boolean;
}

interface GuardLine {
  file: string;
  /** The guard as it stands in the file: an expression. */
  line: string;
  /** Which of them, where it stands there more than once. */
  nth?: number;
  /** What stands there when nobody guards. */
  without: string;
}

const RULES = "shared/src/visibility.ts";
const GUARD = "server/src/features/visibility/visibility.service.ts";
const SEAL = "server/src/features/visibility/for-party.service.ts";
const inFeature = (file: string) => `server/src/features/${file}`;

/** Every line that keeps something from a reader; none may be taken out without a test that fails. */
export const GUARD_LINES: Record<string, GuardLine> = {
  "nobody reads another's confidence": {
    file: RULES,
    line: "visibility.aboutPartyIds.some((about) => about !== reader.partyId)",
    without: "false",
  },
  "a party reads what names them": {
    file: RULES,
    line: "visibility.partyIds.includes(reader.partyId)",
    without: "true",
  },
  "no note is held in confidence against the agreement": {
    file: inFeature("notes/note-access.ts"),
    line: "whyNotHeld(theCase, visibility)",
    without: "null",
  },
  "no proposal is held in confidence against the agreement": {
    file: inFeature("sessions/session-proposals.service.ts"),
    line: "whyNotHeld(theCase, visibility)",
    without: "null",
  },
  "no file is held in confidence against the agreement": {
    file: inFeature("files/files.service.ts"),
    line: "whyNotHeld(theCase, visibility, mark?.isFinancial)",
    without: "null",
  },
  "no finances are held in confidence": {
    file: "shared/src/confidences.ts",
    line: "mayHoldFinances(theCase, visibility)",
    without: "true",
  },
  "what stays in the case goes to nobody outside it": {
    file: inFeature("mail/gate-files.service.ts"),
    line: "isInside(directory, { caseId, readerIds }, address)",
    without: "true",
  },
  "a paper names nobody of whom its reader was not told": {
    file: inFeature("documents/document-data.ts"),
    line: "others.every((other) => mayBeNamedTo(theCase, party, other))",
    without: "true",
  },
  "a paper for all waits until all were told of each other": {
    file: inFeature("documents/document-data.ts"),
    line: "untoldIn(theCase)",
    without: "null",
  },
  "a draft is read as notes of the same readers are": {
    file: inFeature("documents/document-access.ts"),
    line: "mayRead(staffReader(scope, theCase), doc.visibility)",
    without: "true",
  },
  "drafts are listed as notes of the same readers are": {
    file: inFeature("documents/documents.service.ts"),
    line: "readableFilter(staffReader(scope, theCase))",
    without: "{}",
  },
  "a paper for all says only the figures that all may read": {
    file: inFeature("finances/party-figures.service.ts"),
    line: "others.every((each) => each.some((one) => one.id === id))",
    without: "true",
  },
  "what shows a figure is named where all may read it": {
    file: inFeature("finances/party-figures.service.ts"),
    line: "others.every((each) => each.find((one) => one.id === id)?.evidenceName === evidenceName)",
    without: "true",
  },
  "what shows a figure is named to whoever may read it": {
    file: inFeature("files/party-files.service.ts"),
    line: "docs.filter((doc) => mayPartyRead(readableOf(doc), reader))",
    without: "docs",
  },
  "figures are listed as notes of the same readers are": {
    file: inFeature("finances/finances.service.ts"),
    line: "readableFilter(reader)",
    without: "{}",
  },
  "a figure that may not be read looks missing": {
    file: inFeature("finances/figures.service.ts"),
    line: "mayRead(staffReader(scope, theCase), doc.visibility)",
    without: "true",
  },
  "a court is given only what all may read": {
    file: inFeature("court-packs/court-pack-files.ts"),
    line: "!file.isForAll",
    without: "false",
  },
  "a court is given only what is open": {
    file: inFeature("court-packs/court-pack-files.ts"),
    line: '[file.mark.privilege, document?.privilege ?? "open"].some((privilege) => privilege !== "open")',
    without: "false",
  },
  "a court is given only what was let out": {
    file: inFeature("court-packs/court-pack-files.ts"),
    line: "file.mark.isFinancial || isLetOut(theCase, file.id)",
    without: "true",
  },
  "only mediators read what is theirs": {
    file: RULES,
    line: "reader.isMediator && reader.mayReadPrivate",
    without: "true",
  },
  "a caucus needs the right to private notes": {
    file: RULES,
    line: "visibility.aboutPartyIds.length === 0 || reader.mayReadPrivate",
    without: "true",
  },
  "suspicions are for their author and the officer": {
    file: inFeature("safeguarding/safeguarding.service.ts"),
    line: "(await officerIdOf(ownerId)) === userId",
    without: "true",
  },
  "mayRead asks the rule of staff": { file: GUARD, line: "mayStaffRead(visibility, reader)", without: "true" },
  "lists are filtered": { file: GUARD, line: "mayRead(reader, item.visibility)", without: "true" },
  "stored lists leave out another's confidence": {
    file: GUARD,
    line: "[isOfNobodyElse, { $or: isShown }]",
    without: "[{ $or: isShown }]",
  },
  "stored lists hold what names the party": {
    file: GUARD,
    line: '{ "visibility.scope": "party", "visibility.partyIds": partyId }',
    without: '{ "visibility.scope": "party" }',
  },
  "stored lists leave out what is the mediator's": {
    file: GUARD,
    line: 'scopes ?? ["staff", "party", "shared"]',
    without: '["staff", "party", "shared", "mediator"]',
  },
  "stored lists leave out caucuses": {
    file: GUARD,
    line: "{ $and: [readable, { $or: isNoCaucus }] }",
    without: "readable",
  },
  "nothing leaves for a party who may not read it": {
    file: SEAL,
    line: "parts.some((part) => !mayPartyRead(part, reader))",
    without: "false",
  },
  "nothing leaves for somebody who is no party": {
    file: SEAL,
    line: "theCase.parties.find((one) => one.partyId === partyId)",
    without: "theCase.parties[0]",
  },
  "what is gathered for a party passes the guard": {
    file: SEAL,
    line: "items.filter((item) => mayPartyRead(item, reader))",
    without: "items",
  },
  "an invoice is for whoever pays it alone": {
    file: inFeature("invoices/invoice-payers.ts"),
    line: "forParty(partyId)",
    without: '{ scope: "shared", partyIds: [], aboutPartyIds: [] }',
  },
  "the paper of an invoice is made for whoever pays it": {
    file: inFeature("invoices/invoice-paper.service.ts"),
    line: "theCase.parties.find(({ partyId }) => partyId === payer.partyId)",
    without: "theCase.parties[0]",
  },
  "a draft of an invoice is shown to nobody": {
    file: inFeature("invoices/party-invoices.service.ts"),
    line: 'mongoose.trusted({ $ne: "draft" as const })',
    without: 'mongoose.trusted({ $ne: "void" as const })',
  },
  "what is told of a payment is made for whoever pays it": {
    file: inFeature("payments/payer-guard.ts"),
    line: "payer.partyId",
    nth: 1,
    without: 'theCase.parties[0]?.partyId ?? ""',
  },
  "what was made for one party opens for no other": { file: SEAL, line: "isForAnother", nth: 1, without: "false" },
  "who may read is a party of the case": {
    file: GUARD,
    line: "named.some((partyId) => !known.has(partyId))",
    without: "false",
  },
  "a message reaches nobody of another side": {
    file: inFeature("mail/outgoing-gate.service.ts"),
    line: "areOpposed(other, person)",
    without: "false",
  },
  "sides are those of the case": {
    file: inFeature("mail/gate-people.service.ts"),
    line: "side.partyId !== partyId",
    without: "false",
  },
  "a message holds only files that its reader may read": {
    file: inFeature("compose/compose-mail.ts"),
    line: "mayPartyRead(readableOf(doc), facts.party)",
    without: "true",
  },
  "a message holds only files of its own case": {
    file: inFeature("compose/compose-mail.ts"),
    line: "doc.caseId ? doc.caseId === draft.caseId : doc.clientId === draft.clientId",
    without: "true",
  },
  "a message is for the party who is written to": {
    file: inFeature("compose/compose-context.ts"),
    line: "theCase?.parties.find((one) => one.clientId === clientId)",
    without: "theCase?.parties[0]",
  },
  "a message answers nothing that another party got": {
    file: inFeature("mail/outgoing-gate.service.ts"),
    line: "quotesOthers",
    nth: 1,
    without: "false",
  },
  "sending asks what was shown": {
    file: inFeature("compose/compose.service.ts"),
    line: "refuse(mail)",
    without: "undefined",
  },
  "a file is guarded again when the message leaves": {
    file: inFeature("outbox/outbox-files.ts"),
    line: "mayPartyRead(readableOf(doc), party)",
    without: "true",
  },
  "a meeting is known to those who come": {
    file: inFeature("meetings/meetings.visibility.ts"),
    line: "meeting.partyIds.includes(partyId)",
    without: "true",
  },
  "whoever comes for one party is nobody else's to know of": {
    file: inFeature("meetings/meeting-others.service.ts"),
    line: "other.partyId === null || other.partyId === partyId",
    without: "true",
  },
  "somebody's own room is nobody else's to know of": {
    file: inFeature("meetings/meeting-rooms.ts"),
    line: "partyIds.length === 0 || partyIds.includes(partyId)",
    without: "true",
  },
  "what is shared is for those who had joined": {
    file: RULES,
    line: "first > timeOf(joinedAt)",
    without: "true",
  },
  "what is shared is for those who had not left": {
    file: RULES,
    line: "last < timeOf(leftAt)",
    without: "true",
  },
  "what is shared is for those who were not away": {
    file: RULES,
    line: "last < timeOf(from) || first > timeOf(to)",
    without: "true",
  },
  "stored lists hold what was shared in a party's time": {
    file: GUARD,
    line: "[{}, ...joined, ...left, ...away]",
    without: "[{}]",
  },
  "an event is for those who were there": {
    file: RULES,
    line: "!isEvent || wasThere(reader, times)",
    without: "true",
  },
  "stored lines of events are for those who were there": {
    file: GUARD,
    line: "[...IS_NO_EVENT, { $and: times }]",
    without: "[{}]",
  },
  "a meeting is known as it was told to those who were there": {
    file: inFeature("meetings/meetings.visibility.ts"),
    line: "told.findLast((telling) => isTheirs || wasTold(telling, party))",
    without: "told.at(-1)",
  },
  "who is not in the case is told nothing of how a meeting goes on": {
    file: inFeature("meetings/meetings.visibility.ts"),
    line: "(party.leftAt === null || isTheirs) && known === told.at(-1)",
    without: "true",
  },
  "no party reads a caucus note": { file: "shared/src/notes.ts", line: "!isCaucus(visibility)", without: "false" },
  "no party reads a proposal in confidence": {
    file: "shared/src/sessions.ts",
    line: "visibility.aboutPartyIds.length === 0 || isCaucus(visibility)",
    without: "true",
  },
  "what is kept is shown to no more people": {
    file: GUARD,
    line: "!isNoWider(before.visibility, after)",
    without: "false",
  },
  "a confidence is not lost on the way": {
    file: inFeature("files/file-moves.service.ts"),
    line: "there.length < confidants.length",
    without: "false",
  },
  "what a mail brings is read by nobody else": {
    file: inFeature("files/file-copies.service.ts"),
    line: "isNoWiderCopy(limit, asked)",
    without: "true",
  },
  "what is kept with a client is theirs in a case": {
    file: inFeature("files/file-moves.service.ts"),
    line: "whyNotHeld(to, theirs, mark.isFinancial) === null",
    without: "false",
  },
  "a note that was released stays as it is": {
    file: inFeature("notes/note-access.ts"),
    line: "doc.consent !== null",
    without: "false",
  },
  "a file that was released keeps its name": {
    file: inFeature("files/file-changes.service.ts"),
    line: "doc.consent !== null && fields.name !== doc.name",
    without: "false",
  },
  "a meeting is told as the party knows it": {
    file: inFeature("meetings/meetings.visibility.ts"),
    line: "(arrival?.minutesBefore ?? 0) * MINUTE_MS",
    without: "0",
  },
  "a note that may not be read looks missing": {
    file: inFeature("notes/note-access.ts"),
    line: "mayRead(staffReader(scope, theCase), doc.visibility)",
    without: "true",
  },
  "a file that may not be read looks missing": {
    file: inFeature("files/files.service.ts"),
    line: "mayRead(staffReader(scope, theCase), doc.visibility)",
    without: "true",
  },
  "answers are read by those whom their question is for": {
    file: inFeature("submissions/answer-readers.ts"),
    line: "mayRead(reader, visibilityOf(placed, readers))",
    without: "true",
  },
  "answers about safety are for who reads screenings": {
    file: inFeature("submissions/answer-readers.ts"),
    line: 'can(scope, "screening.read")',
    without: "true",
  },
  "found files pass the guard": {
    file: inFeature("files/file-lists.service.ts"),
    line: "mayRead(staffReader(scope, theCase), doc.visibility)",
    without: "true",
  },
  "a document to sign is shown to who may read it": {
    file: inFeature("signatures/open-signings.ts"),
    line: "[readableOf(file)]",
    nth: 1,
    without: "[]",
  },
  "a document to sign is known to who may read it": {
    file: inFeature("signatures/signatures.service.ts"),
    line: "keptFile(scope, fileId)",
    without: "Promise.resolve()",
  },
  "proposals of a session pass the guard": {
    file: inFeature("sessions/session-changes.ts"),
    line: "onlyReadable(staffReader(scope, theCase), kept)",
    without: "kept",
  },
};

/** Where a guard begins in the file; throws where it is not there, so that no list of guards goes stale. */
function startOf(name: string, source: string): number {
  const { file = "", line = "", nth = 0 } = GUARD_LINES[name] ?? {};
  let at = source.indexOf(line);
  for (let skipped = 0; skipped < nth; skipped += 1) at = source.indexOf(line, at + 1);
  if (at === -1) throw new Error(`The guard "${name}" is not in ${file}`);
  return at;
}

/** A vite plugin that asks, each time a guard is come to, whether it stands this time. */
export function guardLinesPlugin() {
  const gone = Object.values(GUARD_LINES).find(({ file }) => !existsSync(path.join(ROOT, file)));
  if (gone) throw new Error(`There is no ${gone.file} any more: say where its guards stand now`);
  return {
    name: "guard-lines",
    enforce: "pre" as const,
    transform(source: string, id: string) {
      const guards = Object.entries(GUARD_LINES).filter(([, { file }]) => id === path.join(ROOT, file));
      const byPlace = guards
        .map(([name, guard]) => ({ name, ...guard, at: startOf(name, source) }))
        .toSorted((a, b) => b.at - a.at);
      return byPlace.reduce(
        (text, { name, line, without, at }) =>
          `${text.slice(0, at)}(globalThis.isKept(${JSON.stringify(name)}) ? ${line} : ${without})${text.slice(at + line.length)}`,
        source,
      );
    },
  };
}
