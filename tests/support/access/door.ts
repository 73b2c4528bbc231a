import type { Permission } from "@app/shared/access";

/** What belongs to the practice that everybody else must not reach. */
export interface Target {
  clientId: string;
  staffId: string;
  invitedId: string;
  deviceId: string;
  caseId: string;
  partyId: string;
  contactId: string;
  taskId: string;
  mailId: string;
  noteId: string;
  /** A note with one earlier version, which is 0. */
  savedNoteId: string;
  sessionId: string;
  /** Of the safeguarding record. */
  entryId: string;
  /** Opened by a finding, and not completed yet. */
  waitingEntryId: string;
  certificateId: string;
  priceId: string;
  /** One that was issued, to the party, and a credit note of it. */
  invoiceId: string;
  creditNoteId: string;
  /** Others, as they were written. */
  draftInvoiceId: string;
  goneInvoiceId: string;
  /** Complete, and without a certificate. */
  assessmentId: string;
  screeningId: string;
  /** By which people outside book. */
  linkId: string;
  /** A link each for two parties. */
  pairId: string;
  meetingId: string;
  /** One of the same parties that is over. */
  pastMeetingId: string;
  /** A MIAM to which their party did not come. */
  missedMeetingId: string;
  roomId: string;
  /** Who comes to that meeting beside its parties. */
  otherId: string;
  /** The first of three weekly meetings. */
  seriesId: string;
  fileId: string;
  /** A document with one earlier version, which is 0. */
  documentId: string;
  /** A picture of it. */
  documentPictureId: string;
  logoId: string;
  /** Others, as they were made. */
  markedDocumentId: string;
  finishedDocumentId: string;
  /** A template with one earlier version, which is 0. */
  textId: string;
  /** Another one, as it was made. */
  renamedTextId: string;
  /** Of what the party disclosed, as it was entered. */
  figureId: string;
  formId: string;
  /** Another one, of which nothing was published. */
  publishableFormId: string;
  /** One for enquiries. */
  leadFormId: string;
  /** One that people fill in, a link of the client to it, and what was filled in by another. */
  publishedFormId: string;
  formLinkId: string;
  submissionId: string;
  formFileId: string;
  /** Of a document that was sent out to be signed. */
  signatureId: string;
  templateId: string;
  /** An invoice of which nothing came, a payment of another, and one of a third that is on its way. */
  owedInvoiceId: string;
  paymentId: string;
  correctedPaymentId: string;
  announcedPaymentId: string;
  /** A statement of the bank, and a line of it that is to be decided. */
  statementId: string;
  bankLineId: string;
  /** Imports of one row each: one that waits, one that was checked, one that runs and one that is done. */
  importId: string;
  checkedImportId: string;
  runningImportId: string;
  doneImportId: string;
  mailingId: string;
  /** Somewhere else somebody works on it. */
  sendingMailingId: string;
  /** Of that one: nobody knows whether it arrived. */
  mailingItemId: string;
  suppressionId: string;
  leadId: string;
  /** One that can become a case. */
  readyLeadId: string;
  lostLeadId: string;
  ownerId: string;
}

/** A route outside the router: what to ask for, and with which body. */
export interface Route {
  method: string;
  address: (target: Target) => string;
  body?: string | ((target: Target) => string);
  /** Of the body. */
  contentType: string;
}

/** A way into the server: a procedure, or a route outside the router. */
export interface Door {
  access: "public" | "protected" | "subscribed" | "owner";
  /** All that it asks for: one permission, or each of several. */
  permission?: Permission | readonly Permission[];
  /** Of a route that hands out many records: whoever did not confirm for ten minutes who they are is asked to. */
  asksAgain?: true;
  /** Another installation may come in too, with the token of the mail gateway. */
  takesToken?: true;
  /** Of a procedure: a valid input aimed at the practice's own things; absent where the call takes none. */
  input?: (target: Target) => unknown;
  /** Further valid inputs, for the other ways through the procedure; each gets the same answer from a stranger. */
  more?: ((target: Target) => unknown)[];
  /** What has to be so before each of them, where what the practice keeps stands in the way of the call. */
  prepare?: (target: Target) => Promise<unknown>;
  /** Of what is no procedure. */
  route?: Route;
  /**
   * What a person of another practice gets with that input: the object looks missing, or the call touches only the
   * caller's own things (then nothing of the practice may be in the answer, and nothing of it may change), or acts for
   * a person who is no colleague.
   */
  stranger?: "missing" | "own" | "forbidden";
  /** Where the rightful caller is refused for another reason than access, this code shows that the gates were passed. */
  passedGatesWith?: string;
}

/** Each permission that a door asks for. */
export const permissionsOf = ({ permission = [] }: Door): readonly Permission[] =>
  typeof permission === "string" ? [permission] : permission;
