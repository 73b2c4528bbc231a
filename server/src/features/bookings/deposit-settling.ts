// A payment before the booking: once it is there the time is booked, and while it is not the time is held for so long and
// no longer. Money that comes later is never lost: the time is booked if it is free still, else somebody looks at it.
import { isReceived } from "@app/shared/payment-states";
import { TRPCError } from "@trpc/server";
import { MINUTE_MS, now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { defineDueItems } from "../../core/due-items.ts";
import { isStale } from "../../core/errors.ts";
import { createLogger } from "../../core/logger.ts";
import { bookMeeting } from "../meetings/booking.service.ts";
import { defineHeldFollower, defineMeetingFollower } from "../meetings/meeting-followers.service.ts";
import { setMeetingStatus } from "../meetings/meetings.service.ts";
import {
  findVisitByHash,
  manageAddress,
  type MeetingDoc,
  tellVisitor,
  visitDetails,
} from "../meetings/visits.service.ts";
import { defineDepositEffects } from "../payments/deposit-effects.service.ts";
import {
  claimDeposit,
  closeDeposit,
  dueDeposits,
  lookAtDeposit,
  ownersOfDueDeposits,
  type PaymentDoc,
  withdrawDeposit,
} from "../payments/deposits.service.ts";
import type { BookingLinkDoc } from "./bookings.model.ts";
import { roomAround } from "./booking-slots.service.ts";
import { depositOfMeeting, stateOfDeposit } from "./deposit-words.ts";
import { tellMediators } from "./mediator-notices.ts";
import { countUseAgain, giveUseBack, linkOfVisit, scopeOf } from "./open-links.service.ts";

const log = createLogger("warn");

/** Books what was paid and ends what was not paid in time, each once, in whichever process. */
export const settleDeposits = defineDueItems<PaymentDoc>({
  name: "settle payments before bookings",
  everyMs: MINUTE_MS,
  owners: ownersOfDueDeposits,
  next: dueDeposits,
  work: settle,
  tell: (payment) => inTransaction(() => lookAtDeposit(refOf(payment), "not_booked")),
});

const refOf = ({ ownerId, _id: id }: PaymentDoc) => ({ ownerId, id });

interface Settling {
  payment: PaymentDoc;
  meeting: MeetingDoc;
  link: BookingLinkDoc;
}

async function settle(found: PaymentDoc): Promise<void> {
  const payment = isReceived(found.status)
    ? found
    : await closeDeposit(found, (error) =>
        log.warn({ err: error, paymentId: found._id }, "a page to pay was not closed"),
      );
  // Closing its page found that it was paid: then that was settled with it.
  const visit = await visitOf(payment);
  if (!visit) return inTransaction(() => unbooked(payment));
  const isPaid = isReceived(payment.status);
  try {
    await (isPaid ? bookPaid({ payment, ...visit }) : letGo({ payment, ...visit }));
  } catch (error) {
    // What a rule of staff, or of the calendar, refuses is for somebody to arrange. Somebody who was faster is not.
    if (!isPaid || !isRefusal(error)) throw error;
    await inTransaction(() => unbooked(payment));
  }
}

/** A rule says no, and says so the next time as well. */
const isRefusal = (error: unknown): boolean =>
  error instanceof TRPCError && !isStale(error) && REFUSED.includes(error.code);
const REFUSED: readonly TRPCError["code"][] = [
  "BAD_REQUEST",
  "CONFLICT",
  "FORBIDDEN",
  "NOT_FOUND",
  "PRECONDITION_FAILED",
];

async function visitOf({ ownerId, deposit }: PaymentDoc): Promise<Omit<Settling, "payment"> | null> {
  const meeting = deposit ? await findVisitByHash(ownerId, deposit.visitHash) : null;
  const link = meeting?.booking ? await linkOfVisit(ownerId, meeting.booking.linkId) : null;
  return meeting && link ? { meeting, link } : null;
}

async function unbooked(payment: PaymentDoc): Promise<void> {
  if (!(await claimDeposit(refOf(payment)))) return;
  if (isReceived(payment.status)) await lookAtDeposit(refOf(payment), "not_booked");
}

async function bookPaid({ payment, meeting, link }: Settling): Promise<void> {
  const scope = scopeOf(payment);
  if (meeting.status === "proposed") {
    const isDone = await inTransaction(async () => {
      if (!(await claimDeposit(refOf(payment)))) return false;
      // It is confirmed by the practice first: whoever asked is told that it waits for that alone.
      if (link.needsConfirmation) await tellVisitor(scope, meeting, "invitation");
      else await setMeetingStatus(scope, { id: meeting._id, version: meeting.version, to: "booked" });
      return true;
    });
    if (isDone) await tellMediators(meeting, { what: link.needsConfirmation ? "asked" : "booked", link }, log);
    return;
  }
  const wasHeld = meeting.status === "expired" && payment.deposit?.isLapsed === true;
  if (wasHeld && meeting.startsAt > now()) return bookAgain({ payment, meeting, link });
  const isThere = meeting.status !== "expired" && meeting.status !== "cancelled";
  if (isThere) return void (await inTransaction(() => claimDeposit(refOf(payment))));
  await inTransaction(() => unbooked(payment));
}

/** The time was free again when the money came: it is taken once more, unless somebody else has it. */
async function bookAgain({ payment, meeting, link }: Settling): Promise<void> {
  const { ownerId, booking, type, title, location, mediatorIds, partyIds, caseId, clientIds } = meeting;
  const details = visitDetails(meeting);
  if (!booking || !details) return inTransaction(() => unbooked(payment));
  const { startsAt, endsAt } = meeting;
  const what = {
    type,
    title,
    location,
    mediatorIds,
    partyIds,
    caseId,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    clientId: caseId ? null : (clientIds[0] ?? null),
    status: link.needsConfirmation ? ("proposed" as const) : ("booked" as const),
    isInvitationSent: !link.needsConfirmation,
    allowsOverlap: false,
    allowsCrowding: true,
    ...NOTHING_ELSE,
  };
  const { linkId, clientId, timeZone, sentHash } = booking;
  let isDone = false;
  await bookMeeting(scopeOf(payment), what, {
    around: await roomAround(ownerId, mediatorIds[0] ?? ""),
    booking: { linkId, clientId, timeZone, ...details, ...(sentHash === undefined ? {} : { sentHash }) },
    async keep() {
      isDone = await claimDeposit(refOf(payment));
      if (!isDone) throw new DoneMeanwhile();
      await countUseAgain(link);
    },
  }).catch((error: unknown) => {
    if (!(error instanceof DoneMeanwhile)) throw error;
  });
  const again = isDone ? await findVisitByHash(ownerId, booking.tokenHash) : null;
  if (again) await tellMediators(again, { what: link.needsConfirmation ? "asked" : "booked", link }, log);
}

class DoneMeanwhile extends Error {}

const NOTHING_ELSE = {
  arrivals: [],
  childIds: [],
  arrangements: [],
  againstMeasures: "",
  note: "",
  rooms: [],
  others: [],
  repeat: null,
};

/** It was not paid in time: the time is free for others, and both sides are told. */
async function letGo({ payment, meeting, link }: Settling): Promise<void> {
  const isHeld = meeting.status === "proposed";
  const isDone = await inTransaction(async () => {
    if (!(await claimDeposit(refOf(payment), { isLapsed: isHeld }))) return false;
    if (!isHeld) return true;
    await setMeetingStatus(scopeOf(payment), { id: meeting._id, version: meeting.version, to: "expired" });
    await giveUseBack(link);
    return true;
  });
  if (isDone && isHeld) await tellMediators(meeting, { what: "lapsed", link }, log);
}

defineDepositEffects({
  settle,
  async bookingOf(payment) {
    const visit = await visitOf(payment);
    const details = visit && visitDetails(visit.meeting);
    if (!visit || !details) return { state: "gone", path: "" };
    const { status } = visit.meeting;
    const path = new URL(manageAddress(details.token)).pathname;
    if (status === "cancelled" || status === "expired") return { state: "gone", path };
    if (status !== "proposed") return { state: "booked", path };
    // What is paid and not settled yet is about to be booked.
    return { state: isReceived(payment.status) && payment.deposit?.isSettled ? "asked" : "held", path };
  },
});

// Whoever cancels what was paid for, somebody decides what goes back; what is not paid is not asked for any more.
defineMeetingFollower(async (_scope, { before, instead }) => {
  if (instead) return;
  const payment = await depositOfMeeting(before);
  if (!payment) return;
  const state = stateOfDeposit(payment);
  if (state === "due") await withdrawDeposit(refOf(payment));
  if (state === "paid" || state === "part_refunded") await lookAtDeposit(refOf(payment), "booking_cancelled");
});

// The same where the practice does not confirm what was asked for.
defineHeldFollower(async (_scope, before, after) => {
  if (before.status !== "proposed" || after.status !== "expired") return;
  const payment = await depositOfMeeting(after);
  if (payment && stateOfDeposit(payment) === "paid") await lookAtDeposit(refOf(payment), "booking_cancelled");
});
