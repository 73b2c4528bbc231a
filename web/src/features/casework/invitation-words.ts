import type { Party } from "@app/shared/cases";
import type { InvitationGap } from "@app/shared/contact-agreements";
import {
  type Attempt,
  CALL_NAMES,
  type InviteChannel,
  isInvitation,
  isLadderOver,
  isMade,
  isNoResponseProposed,
  nextRung,
  type Rung,
} from "@app/shared/ladders";

export interface Invitations {
  rungs: readonly Rung[];
  attempts: readonly Attempt[];
  missing: readonly { partyId: string; gaps: readonly InvitationGap[] }[];
  ways: readonly Ways[];
}

/** By what ways somebody may be reached. */
export interface Ways {
  partyId: string;
  forbidden: readonly InviteChannel[];
  mayLeaveVoicemail: boolean;
  words: string;
}

export interface Reached {
  attempts: readonly Attempt[];
  /** The last that was made; one whose mail did not leave is none. */
  last: Attempt | null;
  next: { rung: Rung; number: number; of: number } | null;
  isOver: boolean;
  isProposed: boolean;
  /** What comes before they are invited. */
  gaps: readonly InvitationGap[];
  ways: Ways | null;
}

/** Whether this way is not marked as safe; a call, also where a message was left that may not be. */
export const isUnsafeWay = (ways: Ways | null, channel: InviteChannel, call = ""): boolean =>
  ways !== null && (ways.forbidden.includes(channel) || (call === "message" && !ways.mayLeaveVoicemail));

/** How far the ladder of one party was gone. */
export function reachedOf(
  { rungs: ladder, attempts, missing, ways: all }: Invitations,
  { partyId, status }: Party,
  today: string,
): Reached {
  const ways = all.find((one) => one.partyId === partyId) ?? null;
  const rungs = ladder.map((rung) => (isUnsafeWay(ways, rung.channel) ? { ...rung, isForbidden: true } : rung));
  const own = attempts.filter((attempt) => attempt.partyId === partyId);
  const open = own.filter(({ isAnswered }) => !isAnswered);
  const made = open.filter(isMade);
  const index = nextRung(rungs, open.filter(isInvitation));
  const rung = rungs[index];
  return {
    attempts: own,
    last: made.at(-1) ?? null,
    next: rung && !isUnsafeWay(ways, rung.channel) ? { rung, number: index + 1, of: rungs.length } : null,
    isOver: isLadderOver(rungs, made),
    // Of whom no way is marked as safe, nobody knows yet whether one is.
    isProposed:
      rungs.some(({ channel }) => !isUnsafeWay(ways, channel)) &&
      isNoResponseProposed(status, rungs, { attempts: made, today }),
    gaps: missing.find((one) => one.partyId === partyId)?.gaps ?? [],
    ways,
  };
}

/** Why an attempt did not reach anybody, as far as anybody knows; empty where it may have. */
export function notMade({ isTakenBack, delivery, struckBecause, call, cameBackOn }: Attempt): string {
  if (struckBecause !== "") return "Struck as recorded in error";
  if (call === "nobody") return CALL_NAMES.nobody;
  if (isTakenBack) return "Taken back before it was sent";
  if (cameBackOn !== "") return "Came back, or was not delivered";
  if (delivery === "failed") return "Not sent";
  if (delivery === "bounced") return "Came back";
  return delivery === "queued" || delivery === "sending" ? "Not sent yet" : "";
}

/** Whoever came to the practice first was not invited: they rang. */
export const firstStepOf = ({ role }: Pick<Party, "role">): string =>
  role === "initiator" ? "First contact" : "Invitation answered";
