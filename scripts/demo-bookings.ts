// Links by which people book the invented practice, what came of them, and two parties who look for a time.
import { newToken } from "@app/server/core/ids";
import type { Case } from "@app/shared/cases";
import type { BookingLink, CreateLink } from "@app/shared/bookings";
import type { Scope } from "@app/server/core/trpc";
import { bookVisit, moveVisit } from "@app/server/features/bookings/booking-acts";
import { depositChoices } from "@app/server/features/bookings/deposit-terms";
import { freeTimes } from "@app/server/features/bookings/booking-slots.service";
import { createLink, setLinkArchived } from "@app/server/features/bookings/links.service";
import { requireOpenLink } from "@app/server/features/bookings/open-links.service";
import { BookingPairModel } from "@app/server/features/bookings/pairs.model";
import { createPair, plannedOf } from "@app/server/features/bookings/pairs.service";
import { cancelMeeting } from "@app/server/features/meetings/meetings.service";
import { whyNotAskedTo } from "@app/server/features/meetings/visits.service";

const nothingToRedeem = () => Promise.resolve();
const LINK: CreateLink = {
  name: "First call",
  type: "call",
  title: "Choose a time to talk",
  minutes: 30,
  location: { kind: "phone", place: "" },
  mediatorIds: [],
  mediatorChoice: "balanced",
  questions: [{ label: "What would you like to talk about?", kind: "long", isRequired: false }],
  needsConfirmation: false,
  deposit: null,
  noticeHours: 24,
  expiresOn: "",
  useLimit: null,
  clientId: null,
  caseId: null,
};

export async function demoBookings(scope: Scope, cases: readonly Case[]): Promise<void> {
  const own = { ...LINK, mediatorIds: [scope.userId] };
  const call = await createLink(scope, own);
  const asked = await createLink(scope, {
    ...own,
    name: "Assessment meeting, to be confirmed",
    type: "miam",
    title: "Choose a time to meet",
    minutes: 60,
    location: { kind: "video", place: "" },
    questions: [{ label: "Do you need step-free access?", kind: "yes_no", isRequired: true }],
    needsConfirmation: true,
  });
  // Only where the demonstration can be paid by card.
  if ((await depositChoices(scope)).takesCards)
    await createLink(scope, {
      ...own,
      name: "Consultation, paid first",
      title: "Choose a time to talk",
      minutes: 45,
      deposit: { kind: "amount", amountMinor: 6000 },
      noticeHours: 48,
    });
  const old = await createLink(scope, { ...own, name: "Open day in spring", useLimit: 20 });
  await setLinkArchived(scope, { id: old.id, isArchived: true });
  await bookedBy(call, { name: "Leah Brandt", email: "leah.brandt@example.org", phone: "07700 900321" }, 5);
  await bookedBy(asked, { name: "Idris Cole", email: "idris.cole@example.org", phone: "" }, 20);
  const gone = await bookedBy(call, { name: "Mina Holt", email: "mina.holt@example.org", phone: "07700 900322" }, 40);
  const how = { reason: "Cancelled by whoever booked it", isLate: false, isWholeSeries: false };
  await cancelMeeting(scope, { id: gone.meeting._id, version: gone.meeting.version, ...how });
  const moved = await bookedBy(
    call,
    { name: "Jon Petrie", email: "jon.petrie@example.org", phone: "07700 900323" },
    60,
  );
  const { link, wanted, times } = await freeOf(call);
  const exceptIds = [moved.meeting._id];
  const startsAt = new Date(times[75] ?? 0);
  await moveVisit({
    meeting: moved.meeting,
    link,
    wanted: { ...wanted, exceptIds },
    startsAt,
    redeem: nothingToRedeem,
  });
  await pairHalfWay(scope, cases);
}

async function freeOf({ publicId }: BookingLink) {
  const link = await requireOpenLink(publicId);
  const wanted = { ownerId: link.ownerId, mediatorIds: link.mediatorIds, minutes: link.minutes };
  return { link, wanted, times: await freeTimes(wanted) };
}

async function bookedBy(link: BookingLink, visitor: { name: string; email: string; phone: string }, at: number) {
  const free = await freeOf(link);
  return bookVisit({
    deposit: null,
    isToConfirm: link.needsConfirmation,
    link: free.link,
    wanted: free.wanted,
    visitor,
    answers: link.questions.map(({ label, kind }) => ({ label, answer: kind === "yes_no" ? "No" : "How it works" })),
    heldBy: null,
    startsAt: new Date(free.times[at] ?? 0),
    timeZone: "Europe/London",
    sentHash: newToken(),
    redeem: nothingToRedeem,
  });
}

/** Of the first case whose parties may be asked: one of them has chosen times. */
async function pairHalfWay(scope: Scope, cases: readonly Case[]): Promise<void> {
  const fields = { type: "mediation" as const, location: { kind: "video" as const, place: "" } };
  for (const theCase of cases) {
    const partyIds = theCase.parties.filter(({ leftAt }) => leftAt === null).map(({ partyId }) => partyId);
    const sides = partyIds.map((partyId) => ({ partyId }));
    if (partyIds.length !== 2 || (await whyNotAskedTo(scope, theCase, plannedOf({ ...fields, sides })))) continue;
    const wanted = { ownerId: scope.ownerId, mediatorIds: [scope.userId], minutes: 90 };
    const { id } = await createPair(scope, {
      ...fields,
      caseId: theCase.id,
      partyIds,
      title: "Choose times that suit you",
      minutes: wanted.minutes,
      mediatorIds: wanted.mediatorIds,
      expiresOn: "",
    });
    const picks = (await freeTimes(wanted)).slice(10, 13).map((at) => new Date(at));
    await BookingPairModel.updateOne({ ownerId: scope.ownerId, _id: id }, { $set: { "sides.0.picks": picks } });
    return;
  }
}
