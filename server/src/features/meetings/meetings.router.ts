import "./child-meetings.ts";
import "./ended-cases.ts";
import "./found-safety.ts";
import { z } from "zod";
import { noteAgreedTimeSchema } from "@app/shared/agreed-times";
import { availabilityOfSchema, setAvailabilitySchema } from "@app/shared/availability";
import { byIdSchema, ofChange, ofNewThing } from "@app/shared/ids";
import { noteOtherSchema } from "@app/shared/meeting-others";
import {
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
import { calling, callingById, noInputSchema, permitted, recentlyConfirmed, router } from "../../core/trpc.ts";
import { noteAgreedTime } from "./agreed-times.service.ts";
import * as availability from "./availability.service.ts";
import { createMeeting } from "./booking.service.ts";
import * as calendar from "./calendar.service.ts";
import * as feed from "./feed.service.ts";
import { nextFreeSlots } from "./free-slots.ts";
import "./meeting-reminders.ts";
import * as meetings from "./meetings.service.ts";
import { rescheduleMeeting } from "./rescheduling.service.ts";
import { settleReply } from "./replies.service.ts";

const reading = permitted("clients.read");
const managing = permitted("clients.read", "calendar.manage");

export const meetingsRouter = router({
  calendar: reading.input(calendarInputSchema).output(calendarSchema).query(calling(calendar.getCalendar)),
  month: reading.input(calendarInputSchema).output(monthSchema).query(calling(calendar.getMonth)),
  listOf: reading.input(listMeetingsSchema).output(meetingPageSchema).query(calling(calendar.listMeetingsOf)),
  get: reading.input(byIdSchema).output(meetingSchema).query(callingById(meetings.getMeeting)),
  nextFree: reading.input(nextFreeSchema).output(freeSlotsSchema).query(calling(nextFreeSlots)),
  create: managing
    .input(createMeetingSchema.safeExtend(ofNewThing))
    .output(meetingSchema)
    .mutation(creatingItself(createMeeting, meetings.getMeeting)),
  update: managing.input(updateMeetingSchema).output(meetingSchema).mutation(calling(meetings.updateMeeting)),
  reschedule: managing
    .input(rescheduleMeetingSchema.safeExtend(ofChange))
    .output(meetingSchema)
    .mutation(({ ctx: { scope }, input: { changeId, ...input }, path }) =>
      doOnce(
        scope,
        { id: changeId, input, what: path },
        {
          make: (keep) => rescheduleMeeting(scope, input, keep),
          look: (madeId) => meetings.getMeeting(scope, madeId),
        },
      ),
    ),
  cancel: managing
    .input(cancelMeetingSchema.safeExtend(ofChange))
    .output(meetingSchema)
    .mutation(changing(meetings.cancelMeeting, meetings.getMeeting)),
  setStatus: managing.input(setMeetingStatusSchema).output(meetingSchema).mutation(calling(meetings.markMeeting)),
  setAttendance: managing.input(setAttendanceSchema).output(meetingSchema).mutation(calling(meetings.markAttendance)),

  noteAgreedTime: managing.input(noteAgreedTimeSchema).output(meetingSchema).mutation(calling(noteAgreedTime)),
  noteOther: managing.input(noteOtherSchema).output(meetingSchema).mutation(calling(meetings.noteOther)),

  settleReply: managing.input(settleReplySchema).output(meetingSchema).mutation(calling(settleReply)),

  availability: reading.output(availabilityOfSchema).query(({ ctx }) => availability.getAvailability(ctx.scope)),
  setAvailability: managing
    .input(setAvailabilitySchema)
    .output(availabilityOfSchema)
    .mutation(calling(availability.setAvailability)),
  listBusy: reading.output(busyCalendarsSchema).query(({ ctx }) => availability.listBusyCalendars(ctx.scope)),
  importBusy: managing.input(importBusySchema).output(busyCalendarsSchema).mutation(calling(availability.importBusy)),
  removeBusy: managing
    .input(importBusySchema.pick({ name: true }))
    .output(busyCalendarsSchema)
    .mutation(calling(availability.removeBusy)),

  feed: reading.output(feedSchema).query(({ ctx }) => feed.getFeed(ctx.scope)),
  makeFeed: reading.use(recentlyConfirmed).input(makeFeedSchema).output(newFeedSchema).mutation(calling(feed.makeFeed)),
  revokeFeed: reading
    .input(noInputSchema)
    .output(z.null())
    .mutation(({ ctx }) => feed.revokeFeed(ctx.scope)),
});
