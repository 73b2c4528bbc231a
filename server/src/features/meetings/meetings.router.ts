import { z } from "zod";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import { noteOtherSchema } from "@app/shared/meeting-others";
import {
  availabilityOfSchema,
  availabilitySchema,
  busyCalendarsSchema,
  calendarInputSchema,
  calendarSchema,
  cancelMeetingSchema,
  createMeetingSchema,
  feedSchema,
  freeSlotsSchema,
  importBusySchema,
  listMeetingsSchema,
  makeFeedSchema,
  meetingPageSchema,
  meetingSchema,
  newFeedSchema,
  monthSchema,
  nextFreeSchema,
  rescheduleMeetingSchema,
  setAttendanceSchema,
  setMeetingStatusSchema,
  settleReplySchema,
  updateMeetingSchema,
} from "@app/shared/meetings";
import { changing, creatingItself, doOnce } from "../../core/once.ts";
import { noInputSchema, permitted, recentlyConfirmed, router } from "../../core/trpc.ts";
import * as availability from "./availability.service.ts";
import { createMeeting } from "./booking.service.ts";
import * as calendar from "./calendar.service.ts";
import * as feed from "./feed.service.ts";
import { nextFreeSlots } from "./free-slots.ts";
import "./meeting-reminders.ts";
import * as meetings from "./meetings.service.ts";
import { settleReply } from "./replies.service.ts";

const reading = permitted("clients.read");
const managing = permitted("clients.read", "calendar.manage");

export const meetingsRouter = router({
  calendar: reading
    .input(calendarInputSchema)
    .output(calendarSchema)
    .query(({ ctx, input }) => calendar.getCalendar(ctx.scope, input)),
  month: reading
    .input(calendarInputSchema)
    .output(monthSchema)
    .query(({ ctx, input }) => calendar.getMonth(ctx.scope, input)),
  listOf: reading
    .input(listMeetingsSchema)
    .output(meetingPageSchema)
    .query(({ ctx, input }) => calendar.listMeetingsOf(ctx.scope, input)),
  get: reading
    .input(byIdSchema)
    .output(meetingSchema)
    .query(({ ctx, input }) => meetings.getMeeting(ctx.scope, input.id)),
  nextFree: reading
    .input(nextFreeSchema)
    .output(freeSlotsSchema)
    .query(({ ctx, input }) => nextFreeSlots(ctx.scope, input)),
  create: managing
    .input(createMeetingSchema.safeExtend(ofNewThing))
    .output(meetingSchema)
    .mutation(creatingItself(createMeeting, meetings.getMeeting)),
  update: managing
    .input(updateMeetingSchema)
    .output(meetingSchema)
    .mutation(({ ctx, input }) => meetings.updateMeeting(ctx.scope, input)),
  reschedule: managing
    .input(rescheduleMeetingSchema.safeExtend(ofChange))
    .output(meetingSchema)
    .mutation(({ ctx: { scope }, input: { changeId, ...input }, path }) =>
      doOnce(
        scope,
        { id: changeId, input, what: path },
        {
          make: (keep) => meetings.rescheduleMeeting(scope, input, keep),
          look: (madeId) => meetings.getMeeting(scope, madeId),
        },
      ),
    ),
  cancel: managing
    .input(cancelMeetingSchema.safeExtend(ofChange))
    .output(meetingSchema)
    .mutation(changing(meetings.cancelMeeting, meetings.getMeeting)),
  setStatus: managing
    .input(setMeetingStatusSchema)
    .output(meetingSchema)
    .mutation(({ ctx, input }) => meetings.setMeetingStatus(ctx.scope, input)),
  setAttendance: managing
    .input(setAttendanceSchema)
    .output(meetingSchema)
    .mutation(({ ctx, input }) => meetings.setAttendance(ctx.scope, input)),

  noteOther: managing
    .input(noteOtherSchema)
    .output(meetingSchema)
    .mutation(({ ctx, input }) => meetings.noteOther(ctx.scope, input)),

  settleReply: managing
    .input(settleReplySchema)
    .output(meetingSchema)
    .mutation(({ ctx, input }) => settleReply(ctx.scope, input)),

  availability: reading.output(availabilityOfSchema).query(({ ctx }) => availability.getAvailability(ctx.scope)),
  setAvailability: managing
    .input(availabilitySchema)
    .output(availabilityOfSchema)
    .mutation(({ ctx, input }) => availability.setAvailability(ctx.scope, input)),
  listBusy: reading.output(busyCalendarsSchema).query(({ ctx }) => availability.listBusyCalendars(ctx.scope)),
  importBusy: managing
    .input(importBusySchema)
    .output(busyCalendarsSchema)
    .mutation(({ ctx, input }) => availability.importBusy(ctx.scope, input)),
  removeBusy: managing
    .input(importBusySchema.pick({ name: true }))
    .output(busyCalendarsSchema)
    .mutation(({ ctx, input }) => availability.removeBusy(ctx.scope, input)),

  feed: reading.output(feedSchema).query(({ ctx }) => feed.getFeed(ctx.scope)),
  makeFeed: reading
    .use(recentlyConfirmed)
    .input(makeFeedSchema)
    .output(newFeedSchema)
    .mutation(({ ctx, input }) => feed.makeFeed(ctx.scope, input)),
  revokeFeed: reading
    .input(noInputSchema)
    .output(z.null())
    .mutation(({ ctx }) => feed.revokeFeed(ctx.scope)),
});
