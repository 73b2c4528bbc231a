// What a practice works with every day, so that lists of what is due, free or busy would show it to a stranger.
import { inTransaction } from "@app/server/core/database";
import { newId } from "@app/server/core/ids";
import { AvailabilityModel } from "@app/server/features/meetings/availability.model";
import { keepCalendar } from "@app/server/features/meetings/busy-times";
import { richTextOf } from "@app/shared/rich-text";
import { aCertificate } from "../server/assessments.ts";
import { aCaseInput, aMeetingInput, ledBy, type TestPractice } from "../server/people.ts";
import { screened } from "../server/screened.ts";

const DAY_MS = 86_400_000;
const dayIn = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

interface Links {
  clientId: string;
  caseId: string;
}

/** Something that is due, that expires, that is booked for today, and a time that is busy; all of it says this word. */
export async function aWorkingDay({ api, ownerId }: TestPractice, links: Links, word: string): Promise<void> {
  const { clientId, caseId } = links;
  await api.tasks.create.mutate({ id: newId(), clientId, caseId, title: word, dueOn: dayIn(-2), assigneeId: ownerId });
  // In a case of its own, because a MIAM moves its party on.
  const certified = await api.casework.create.mutate(aCaseInput([clientId], ledBy(ownerId)));
  await screened(certified);
  const whose = { caseId: certified.id, partyId: certified.parties[0]?.partyId ?? "", mediatorId: ownerId };
  await aCertificate({ api }, whose, { attendedOn: dayIn(-110) });
  await api.meetings.create.mutate(
    aMeetingInput(ownerId, { clientId, title: word, startsAt: `${dayIn(0)}T12:00:00.000Z`, allowsOverlap: true }),
  );
  // At the version that whoever never saved any has too.
  const weekly = [{ weekday: 1, from: "09:00", to: "12:00" }];
  await AvailabilityModel.create([{ _id: ownerId, ownerId, weekly, daysOff: ["2031-01-01"], version: 0 }]);
  const busy = { from: Date.parse("2031-03-03T09:00:00Z"), to: Date.parse("2031-03-03T10:00:00Z") };
  const calendar = { ownerId, userId: ownerId, name: "Home" };
  await inTransaction(() => keepCalendar(calendar, [busy], new Date()));
  await api.compose.saveDraft.mutate({
    clientId,
    caseId,
    to: [],
    cc: [],
    subject: word,
    body: richTextOf(word),
    fileIds: [],
    meetingId: null,
    inReplyTo: "",
    references: [],
    kept: { id: newId(), version: 0, windowId: newId() },
  });
}
