import type { Party } from "@app/shared/cases";
import type { InvitationGap } from "@app/shared/contact-agreements";
import { inOrder, isLadderOver, isNoResponseProposed, isUnreached, nextRung } from "@app/shared/ladder-steps";
import {
  type Attempt,
  CALL_NAMES,
  INVITE_CHANNELS,
  type InviteChannel,
  isInvitation,
  isMade,
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
  /** The next step where its own way is not safe, and another may be. */
  bySafeWay: { number: number; of: number } | null;
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
  const unreached = open.filter((one) => isUnreached(one) && !one.isTakenBack);
  const index = nextRung(rungs, inOrder([...open.filter(isInvitation), ...unreached]));
  const tried = inOrder([...made, ...unreached]);
  const rung = rungs[index];
  const isUnsafe = rung !== undefined && isUnsafeWay(ways, rung.channel);
  const isReachable = INVITE_CHANNELS.some((channel) => !isUnsafeWay(ways, channel));
  const step = { number: index + 1, of: rungs.length };
  return {
    attempts: own,
    last: made.at(-1) ?? null,
    next: rung && !isUnsafe ? { rung, ...step } : null,
    bySafeWay: isUnsafe && isReachable ? step : null,
    isOver: isLadderOver(rungs, tried),
    // Of whom no way is marked as safe, nobody knows yet whether one is.
    isProposed: isReachable && isNoResponseProposed(status, rungs, { attempts: tried, today }),
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
