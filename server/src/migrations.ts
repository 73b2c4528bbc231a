// Every step by which stored data came to its shape of today, the oldest first. New ones are added at the end.
import { noIndexRemovesWhatIsKept } from "./core/expiry.migration.ts";
import { heldByNobody } from "./core/holding.ts";
import type { Migration } from "./core/migrate.ts";
import { noJobForEach } from "./core/work-turns.migration.ts";
import {
  accountsOfToday,
  eachWaitsForItself,
  linksOfMailboxes,
  oneMailForEachAddress,
} from "./features/auth/auth.migration.ts";
import {
  companyOfMiams,
  countedElsewhere,
  evidenceNotAsked,
  noneElsewhere,
  recordsOfMiamDays,
} from "./features/assessments/assessments.migration.ts";
import { assignAgain, bringInTeams } from "./features/cases/case-teams.migration.ts";
import { outcomesOfTheirOwn, roundsOfSteps } from "./features/cases/case-outcomes.migration.ts";
import { whomCasesWaitFor } from "./features/cases/case-waiting.migration.ts";
import {
  confidencesOfEarlierRounds,
  disclosuresOfNothing,
  noAgreementsYet,
  nobodyAskedOfContact,
  signaturesOfAgreements,
} from "./features/cases/case-agreements.migration.ts";
import {
  absencesOfParties,
  daysOfConsents,
  idsOfChildren,
  responsibilityOfParents,
  silentPartiesAreOut,
  timesOfParties,
} from "./features/cases/case-parties.migration.ts";
import { noStepsYet } from "./features/cases/case-steps.migration.ts";
import { certificatesOfOldRules } from "./features/certificates/certificates.migration.ts";
import {
  formerMailboxesOfClients,
  keysOfClients,
  leftMailboxesOfClients,
  oneFormOfClientAddresses,
} from "./features/clients/clients.migration.ts";
import { draftsSideBySide } from "./features/compose/compose.migration.ts";
import {
  casesOfAllContacts,
  keysOfContacts,
  leftMailboxesOfContacts,
  oneFormOfContactAddresses,
  sidesOfAllContacts,
} from "./features/contacts/contacts.migration.ts";
import { filesOfSeveral, marksOfFiles, timesOfFiles } from "./features/files/files.migration.ts";
import { turnsOfImports, whoStartedImports } from "./features/imports/imports.migration.ts";
import {
  linesOfMeetingsThatAreOff,
  linesThatNameOthers,
  linesThatNeedMore,
  linesOfUnsentMail,
  linesWithoutCode,
  oldLinesOfPractice,
} from "./features/history/history.migration.ts";
import { attemptsOfInvited, attemptsWithoutRungs, invitationsThatWait } from "./features/ladders/ladders.migration.ts";
import { wordsOfInvitations } from "./features/mail-templates/mail-templates.migration.ts";
import { loginsOfMailboxes } from "./features/mailboxes/mailboxes.migration.ts";
import { oneFormOfMailAddresses, whoHoldsMailings } from "./features/mailings/mailings.migration.ts";
import {
  mailboxesOfToday,
  mailboxesOnTheList,
  oneFormOfSuppressedAddresses,
  oneWishForEach,
} from "./features/suppressions/suppressions.migration.ts";
import { contactsOfMails, reasonsWithoutCode } from "./features/outbox/outbox.migration.ts";
import { tasksForSafety, tasksOfOne, tasksThatNeedMore, tasksWithoutCode } from "./features/tasks/tasks.migration.ts";
import {
  arrangementsOfMeetings,
  roomsOfMeetings,
  sidesOfWhoCame,
  calendarsOfBusyTimes,
  epochsOfFeeds,
  movedMeetingsAreNew,
  sequencesOfParties,
  uidsOfMeetings,
  versionsOfHours,
  untoldInTheirOrder,
  whomMeetingsNamed,
} from "./features/meetings/meetings.migration.ts";
import { caucusNotesOfPractice, sizesOfNotes } from "./features/notes/notes.migration.ts";
import { entriesThatAreKept, wordingsApart } from "./features/safeguarding/safeguarding.migration.ts";
import { companyOfScreenings } from "./features/screenings/screenings.migration.ts";
import { caucusProposalsOfPractice, notesOfStruckSessions } from "./features/sessions/sessions.migration.ts";
import {
  addressesOfInvited,
  oneFormOfUserAddresses,
  safeguardingOfMediators,
} from "./features/users/users.migration.ts";

/** What was one step while two features were one. */
const inTurn =
  (...steps: (() => Promise<void>)[]) =>
  async (): Promise<void> => {
    for (const step of steps) await step();
  };

export const MIGRATIONS: readonly Migration[] = [
  { name: "2026-11-22 addresses of users in one form", run: oneFormOfUserAddresses },
  { name: "2026-11-22 addresses of clients in one form", run: oneFormOfClientAddresses },
  { name: "2026-11-22 addresses of contacts in one form", run: oneFormOfContactAddresses },
  {
    name: "2026-11-22 addresses of mailings in one form",
    run: inTurn(oneFormOfSuppressedAddresses, oneFormOfMailAddresses),
  },
  { name: "2026-11-22 teams of cases", run: bringInTeams },
  { name: "2026-11-22 since when parties are in their case", run: timesOfParties },
  { name: "2026-11-22 lines about meetings, files and notes for the practice", run: oldLinesOfPractice },
  { name: "2026-11-22 imports know who chose the file and who started them", run: whoStartedImports },
  { name: "2026-11-22 lines that need more than the history", run: linesThatNeedMore },
  { name: "2026-11-22 tasks that need more than tasks", run: tasksThatNeedMore },
  { name: "2026-11-22 when the names of files changed", run: timesOfFiles },
  { name: "2026-11-22 when parties were away from their case", run: absencesOfParties },
  { name: "2026-11-22 everybody's wish that an address gets no mailings", run: oneWishForEach },
  { name: "2026-11-22 mailboxes that get no mailings", run: mailboxesOnTheList },
  { name: "2026-11-22 what the calendar of each party calls a meeting", run: uidsOfMeetings },
  { name: "2026-11-22 who works on mailings", run: whoHoldsMailings },
  { name: "2026-11-22 who delivers case mail", run: heldByNobody("email_messages") },
  { name: "2026-11-22 who delivers system mail", run: heldByNobody("system_mails") },
  { name: "2026-11-22 who works on imports", run: heldByNobody("imports") },
  { name: "2026-11-23 addresses of whoever is only invited", run: addressesOfInvited },
  { name: "2026-11-23 what imports made and may take back", run: turnsOfImports },
  { name: "2026-11-23 why mails did not leave, without a code", run: reasonsWithoutCode },
  { name: "2026-11-23 tasks of mails that did not leave, without a code", run: tasksWithoutCode },
  { name: "2026-11-23 lines about such tasks, without a code", run: linesWithoutCode },
  { name: "2026-11-23 how often each party of a meeting was told a change", run: sequencesOfParties },
  { name: "2026-11-23 which cases contacts belong to", run: casesOfAllContacts },
  { name: "2026-11-23 lines that say that a meeting does not take place", run: linesOfMeetingsThatAreOff },
  { name: "2026-11-23 caucus notes that no party reads", run: caucusNotesOfPractice },
  { name: "2026-11-23 proposals in confidence that no party reads", run: caucusProposalsOfPractice },
  {
    // All that people are looked up by: their first names and the domains of their mailbox came in at once.
    name: "2026-11-23 mailboxes that have several domains",
    run: inTurn(keysOfClients, keysOfContacts, mailboxesOfToday, accountsOfToday),
  },
  { name: "2026-11-23 mails that wait for one mailbox, each for itself", run: eachWaitsForItself },
  { name: "2026-11-24 meetings that were moved", run: movedMeetingsAreNew },
  { name: "2026-11-24 files for the eyes of several", run: filesOfSeveral },
  { name: "2026-11-24 drafts of mails side by side", run: draftsSideBySide },
  { name: "2026-11-24 no index removes what is kept", run: noIndexRemovesWhatIsKept },
  {
    name: "2026-11-24 links and mails that are for an address and not for a registration",
    run: inTurn(linksOfMailboxes, oneMailForEachAddress),
  },
  { name: "2026-11-24 addresses that clients left", run: formerMailboxesOfClients },
  { name: "2026-11-24 lines that name others than their party", run: linesThatNameOthers },
  { name: "2026-11-24 who says how clients are reached", run: assignAgain },
  { name: "2026-11-24 other calendars as wholes", run: calendarsOfBusyTimes },
  { name: "2026-11-24 no job for each mailing, import and mailbox", run: noJobForEach },
  { name: "2026-11-24 meetings that parties are still to be told of, in their order", run: untoldInTheirOrder },
  { name: "2026-11-24 steps that can be taken back", run: noStepsYet },
  { name: "2026-11-25 records of the days of MIAMs", run: recordsOfMiamDays },
  { name: "2026-11-25 certificates of the old rules", run: certificatesOfOldRules },
  { name: "2026-11-25 what is arranged for the safety of meetings", run: arrangementsOfMeetings },
  { name: "2026-11-25 who reads the safeguarding record", run: safeguardingOfMediators },
  { name: "2026-11-25 names that connected mailboxes sign in with", run: loginsOfMailboxes },
  { name: "2026-11-25 calendar feeds that end with a new password", run: epochsOfFeeds },
  { name: "2026-11-25 how long the texts of notes are", run: sizesOfNotes },
  { name: "2026-11-25 whom meetings named before they were changed", run: whomMeetingsNamed },
  { name: "2026-11-25 attempts to reach parties, as records of their own", run: attemptsOfInvited },
  { name: "2026-11-26 what agreements say of confidences", run: noAgreementsYet },
  { name: "2026-11-26 what files are marked as", run: marksOfFiles },
  { name: "2026-11-26 when it was consented that children are heard", run: daysOfConsents },
  { name: "2026-11-26 rooms of meetings and who else comes", run: roomsOfMeetings },
  { name: "2026-11-26 wordings of the safeguarding record, each by itself", run: wordingsApart },
  { name: "2026-11-26 which files may go outside their case, and to whom", run: disclosuresOfNothing },
  { name: "2026-11-27 why a mail did not leave, for its writer alone", run: tasksOfOne },
  { name: "2026-11-27 lines that say why a mail did not leave", run: linesOfUnsentMail },
  { name: "2026-11-27 on whose sides contacts ever stood", run: sidesOfAllContacts },
  { name: "2026-11-27 whom cases wait for that all but one side have left", run: whomCasesWaitFor },
  { name: "2026-11-28 on whose sides those stood who came to meetings for one party", run: sidesOfWhoCame },
  { name: "2026-11-28 who has parental responsibility for a child", run: responsibilityOfParents },
  { name: "2026-11-28 who else was at MIAMs", run: companyOfMiams },
  { name: "2026-11-28 MIAMs that were held elsewhere", run: noneElsewhere },
  { name: "2026-11-28 parties who did not answer take no part", run: silentPartiesAreOut },
  { name: "2026-11-28 entries of the safeguarding record that people wrote", run: entriesThatAreKept },
  { name: "2026-11-28 who signed new agreements", run: signaturesOfAgreements },
  { name: "2026-11-28 by when invitations are to be answered, in letters nobody changed", run: wordsOfInvitations },
  { name: "2026-11-29 whether the others may be contacted", run: nobodyAskedOfContact },
  { name: "2026-11-29 outcomes of those who settled it themselves", run: outcomesOfTheirOwn },
  { name: "2026-11-29 how cases had ended that came back", run: roundsOfSteps },
  { name: "2026-11-29 who asks for invitations, in letters nobody changed", run: wordsOfInvitations },
  { name: "2026-11-30 who is expected at a first meeting, in letters nobody changed", run: wordsOfInvitations },
  { name: "2026-11-30 children of cases, each by an id", run: idsOfChildren },
  { name: "2026-11-30 versions of working hours", run: versionsOfHours },
  { name: "2026-11-30 contacts to whom mails were written", run: contactsOfMails },
  { name: "2026-11-30 who was with whoever was screened", run: companyOfScreenings },
  { name: "2026-11-30 which steps of the ladder attempts take", run: attemptsWithoutRungs },
  {
    // All that people are looked up by: a dot in a name at Yandex is a hyphen there.
    name: "2026-11-30 mailboxes at Yandex",
    run: inTurn(
      keysOfClients,
      keysOfContacts,
      leftMailboxesOfClients,
      leftMailboxesOfContacts,
      mailboxesOfToday,
      accountsOfToday,
    ),
  },
  { name: "2026-12-01 how MIAMs that were held elsewhere are known", run: evidenceNotAsked },
  { name: "2026-12-01 what is confidential in family mediation, in letters nobody changed", run: wordsOfInvitations },
  { name: "2026-12-01 whom only invitations invite that have not left", run: invitationsThatWait },
  { name: "2026-12-01 MIAMs held elsewhere of whoever has not come", run: countedElsewhere },
  { name: "2026-12-02 tasks for somebody's safety", run: tasksForSafety },
  { name: "2026-12-03 notes of sessions that were struck", run: notesOfStruckSessions },
  { name: "2026-12-03 what was agreed of confidences before cases came back", run: confidencesOfEarlierRounds },
];
