import { z } from "zod";
import {
  bookedSlotSchema,
  bookingLinkSchema,
  bookingPageSchema,
  bookSlotSchema,
  cancelBookingSchema,
  createLinkSchema,
  heldSchema,
  holdSlotSchema,
  letGoSchema,
  linkPageSchema,
  listLinksSchema,
  listSlotsSchema,
  moveBookingSchema,
  openLinkSchema,
  setLinkArchivedSchema,
  slotsSchema,
  updateLinkSchema,
} from "@app/shared/bookings";
import {
  answerPairSchema,
  bookingPairSchema,
  createPairSchema,
  listPairsSchema,
  pairPageSchema,
  pickTimesSchema,
} from "@app/shared/booking-pairs";
import { bookingDepositInputSchema, bookingDepositSchema, depositChoicesSchema } from "@app/shared/deposits";
import { byIdSchema, ofNewThing } from "@app/shared/ids";
import { creating } from "../../core/once.ts";
import { calling, callingById, permitted, visitorProcedure, router } from "../../core/trpc.ts";
import type { Visitor } from "./booking-form.ts";
import * as deposits from "./booking-deposits.service.ts";
import "./deposit-settling.ts";
import { depositChoices } from "./deposit-terms.ts";
import "./lost-picks.ts";
import "./moved-pairs.ts";
import * as answers from "./pair-answers.service.ts";
import * as changes from "./changed-visits.service.ts";
import * as links from "./links.service.ts";
import * as picks from "./pair-picks.service.ts";
import * as pairs from "./pairs.service.ts";
import { LISTING } from "./shown-addresses.ts";
import * as visits from "./visits.service.ts";

const managing = permitted(...LISTING);

/** A public procedure that is one function of the service; whoever calls is nobody but a network. */
const visiting =
  <Input, Result>(work: (visitor: Visitor, input: Input) => Promise<Result>) =>
  ({ ctx: { ip, log }, input }: { ctx: Visitor; input: Input }): Promise<Result> =>
    work({ ip, log }, input);

export const bookingsRouter = router({
  listLinks: managing.input(listLinksSchema).output(linkPageSchema).query(calling(links.listLinks)),
  getLink: managing.input(byIdSchema).output(bookingLinkSchema).query(callingById(links.getLink)),
  createLink: managing
    .input(createLinkSchema.safeExtend(ofNewThing))
    .output(bookingLinkSchema)
    .mutation(creating(links.createLink, links.getLink)),
  updateLink: managing.input(updateLinkSchema).output(bookingLinkSchema).mutation(calling(links.updateLink)),
  setLinkArchived: managing
    .input(setLinkArchivedSchema)
    .output(bookingLinkSchema)
    .mutation(calling(links.setLinkArchived)),

  depositChoices: managing.output(depositChoicesSchema).query(({ ctx }) => depositChoices(ctx.scope)),
  /** What was paid, or is to be paid, before this meeting was booked. */
  deposit: permitted("clients.read", "payments.read")
    .input(bookingDepositInputSchema)
    .output(bookingDepositSchema)
    .query(calling(deposits.depositOfBooking)),

  listPairs: managing.input(listPairsSchema).output(pairPageSchema).query(calling(pairs.listPairs)),
  createPair: managing
    .input(createPairSchema.safeExtend(ofNewThing))
    .output(bookingPairSchema)
    .mutation(creating(pairs.createPair, pairs.getPair)),
  endPair: managing.input(byIdSchema).output(bookingPairSchema).mutation(callingById(pairs.endPair)),

  page: visitorProcedure.input(openLinkSchema).output(bookingPageSchema).query(visiting(visits.openPage)),
  slots: visitorProcedure.input(listSlotsSchema).output(slotsSchema).query(visiting(visits.listSlots)),
  hold: visitorProcedure.input(holdSlotSchema).output(heldSchema).mutation(visiting(visits.holdTime)),
  letGo: visitorProcedure.input(letGoSchema).output(z.null()).mutation(visiting(visits.letTimeGo)),
  book: visitorProcedure.input(bookSlotSchema).output(bookedSlotSchema).mutation(visiting(visits.bookTime)),
  move: visitorProcedure
    .input(moveBookingSchema)
    .output(bookedSlotSchema.shape.appointment)
    .mutation(visiting(changes.moveBooking)),
  pick: visitorProcedure.input(pickTimesSchema).output(z.null()).mutation(visiting(picks.pickTimes)),
  answer: visitorProcedure.input(answerPairSchema).output(z.null()).mutation(visiting(answers.answerPair)),
  cancel: visitorProcedure.input(cancelBookingSchema).output(z.null()).mutation(visiting(changes.cancelBooking)),
});
