// Why a mail about a meeting does not leave, in the words that its writer reads.
import type { Delivering, Staying } from "../outbox/outbox-delivery.service.ts";

export type LeavingMail = Parameters<Delivering["leavingNow"]>[0];

export const superseded = (reason: string): Staying => ({ stays: "superseded", reason });
export const failed = (reason: string): Staying => ({ stays: "failed", reason });

export const NEWER = "Superseded by a newer message.";
export const UNTRUE = "The appointment is not as this says any more, so nobody needs it.";
export const OVER = "The appointment began before this could be sent. Ask whether they knew of it.";
