import type { SendDetails, SendMethod } from "@app/shared/mail-payload";
import { isBusy } from "../../../core/errors.ts";
import type { PassedMail } from "../outgoing-gate.service.ts";

export interface OutgoingAttachment {
  name: string;
  mime: string;
  content: Buffer;
}

/** A mail as every sender takes it: recipients are checked, attachments decoded. */
export interface OutgoingMail {
  fromName: string;
  to: string[];
  /** Said where there is one recipient only. */
  toName: string;
  cc: string[];
  subject: string;
  body: string;
  isHtml: boolean;
  /** What stands beside an HTML body; made from it where left out. */
  text?: string;
  attachments: OutgoingAttachment[];
  messageId: string;
  /** Further headers: In-Reply-To, References, List-Unsubscribe. */
  headers: Record<string, string>;
  calendar: CalendarPart | null;
}

export interface CalendarPart {
  method: "REQUEST" | "CANCEL" | "PUBLISH";
  content: string;
}

export interface Sender {
  method: SendMethod;
  /** As errors name it. */
  name: string;
  /** Throws SendError where the mail was not accepted, or where nobody can tell. Takes only what passed the gate. */
  send(userId: string, mail: PassedMail, onTaken?: OnTaken): Promise<SendDetails>;
}

/**
 * Notes that a server took the mail, before anything more is done that may take long; with what is to be said of the
 * mail if the process ends now.
 */
export type OnTaken = (details: SendDetails) => Promise<unknown>;

interface SendFailure {
  /** It may have been accepted: it must not be sent again by itself, and never by another way. */
  isUncertain?: boolean;
  /** Trying later may help. */
  isTemporary?: boolean;
  /** The server could not be reached, or did not answer in time. */
  isUnanswered?: boolean;
  /** As the service answered. */
  status?: number;
  cause?: unknown;
}

export class SendError extends Error {
  isUncertain: boolean;
  isTemporary: boolean;
  isUnanswered: boolean;
  status: number;

  constructor(message: string, failure: SendFailure = {}) {
    const { isUncertain = false, isTemporary = false, isUnanswered = false, status = 0, cause } = failure;
    super(message, { cause });
    this.isUncertain = isUncertain;
    this.isTemporary = isTemporary;
    this.isUnanswered = isUnanswered;
    this.status = status;
  }
}

const NOT_FOUND = 404;
export const credentialsNotFound = () => new SendError("IMAP credentials not found", { status: NOT_FOUND });
export const tokenNotFound = () => new SendError("Email token not found", { status: NOT_FOUND });

export const toSendError = (error: unknown): SendError =>
  error instanceof SendError
    ? error
    : new SendError(error instanceof Error ? error.message : String(error), {
        isTemporary: isBusy(error),
        cause: error,
      });
