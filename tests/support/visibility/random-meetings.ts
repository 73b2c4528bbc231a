import { rescheduleMeeting } from "@app/server/features/meetings/rescheduling.service";
// Random meetings of a case, which are changed, moved, called off and reminded of while parties come and go.
import type { Scope } from "@app/server/core/trpc";
import { getCase } from "@app/server/features/cases/cases.service";
import { createMeeting } from "@app/server/features/meetings/booking.service";
import { remindParties } from "@app/server/features/meetings/meeting-notices";
import {
  cancelMeeting,
  getMeeting,
  setMeetingStatus,
  updateMeeting,
} from "@app/server/features/meetings/meetings.service";
import { linkContact } from "@app/server/features/contacts/contact-links.service";
import { createContact } from "@app/server/features/contacts/contacts.service";
import { createRoom } from "@app/server/features/rooms/rooms.service";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { practiceDates } from "@app/server/features/practices/practices.service";
import { MEETING_TRANSITIONS } from "@app/shared/meeting-states";
import fc from "fast-check";
import { contactFields } from "../access/contacts-access.ts";
import { aMeetingInput } from "../server/people.ts";

const HAPPENINGS = ["place", "place", "confirmed", "completed", "cancelled", "moved", "remind", "name"] as const;
type Happening = (typeof HAPPENINGS)[number];

/** After how many things in the case a meeting is booked, and what becomes of it. */
export const someMeetings = fc.array(
  fc.record({
    bookedAfter: fc.nat(5),
    isInvited: fc.boolean(),
    happenings: fc.array(fc.record({ after: fc.nat(9), what: fc.constantFrom(...HAPPENINGS) }), { maxLength: 5 }),
  }),
  { maxLength: 2 },
);
type RandomMeeting = typeof someMeetings extends fc.Arbitrary<(infer Value)[]> ? Value : never;

/** A word that was told with a meeting, and to whom. */
interface Told {
  canary: string;
  readers: Set<string>;
  /** In whose preview it stands still. */
  shownTo: Set<string>;
}

interface Standing {
  id: string;
  random: RandomMeeting;
  named: string[];
  place: Told;
  /** As a stored time tells it, and as people read it. */
  days: readonly Told[];
  /** What each who was told of it knows of where it is. */
  knows: Map<string, Told>;
  isOver: boolean;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** What becomes of the meetings of one case, and who comes to know it. */
export class MeetingsByChance {
  readonly told: Told[] = [];
  readonly reminded = new Set<string>();
  readonly #meetings: Standing[] = [];
  readonly #scope: Scope;
  readonly #caseId: string;
  readonly #name: string;
  #places = 0;
  #days = 0;

  constructor(scope: Scope, caseId: string, name: string) {
    this.#scope = scope;
    this.#caseId = caseId;
    this.#name = name;
  }

  /** All that happens before the next thing of the case is kept, while these parties are in it. */
  async step(index: number, randoms: readonly RandomMeeting[], present: readonly string[]): Promise<void> {
    const begun = this.#meetings.slice();
    for (const meeting of begun)
      for (const { after, what } of meeting.random.happenings)
        if (after === index && !meeting.isOver) await this.#happen(meeting, what, present);
    for (const random of randoms) if (random.bookedAfter === index) await this.#book(random, present);
  }

  #tell(canary: string, readers: readonly string[]): Told {
    const told = { canary: canary.toLowerCase(), readers: new Set(readers), shownTo: new Set(readers) };
    this.told.push(told);
    return told;
  }

  async #tellDay(startsAt: Date, readers: readonly string[]): Promise<readonly Told[]> {
    const { day } = await practiceDates(this.#scope.ownerId);
    const stored = this.#tell(startsAt.toISOString().slice(0, 10), readers);
    const read = this.#tell(day(startsAt), readers);
    // A preview that tells of the meeting need not say it in words.
    read.shownTo.clear();
    return [stored, read];
  }

  #newPlace = () => `${this.#name}where${(this.#places += 1)}end`;
  /** No two meetings of a case are on the same day. */
  #newDay = () => new Date(Date.UTC(2036, 0, 1, 9) + (this.#days += 1) * DAY_MS);

  async #book(random: RandomMeeting, present: readonly string[]): Promise<void> {
    const [place, startsAt] = [this.#newPlace(), this.#newDay()];
    const own = await Promise.all(present.map((partyId) => this.#bring(partyId)));
    const { id } = await createMeeting(
      this.#scope,
      aMeetingInput(this.#scope.ownerId, {
        caseId: this.#caseId,
        partyIds: [...present],
        startsAt: startsAt.toISOString(),
        location: { kind: "in_person", place },
        rooms: own.map(({ room }) => room),
        others: own.map(({ other }) => other),
        isInvitationSent: random.isInvited,
        allowsOverlap: true,
      }),
    );
    const told = this.#tell(place, present);
    const knows = new Map(present.map((partyId) => [partyId, told]));
    const days = await this.#tellDay(startsAt, present);
    this.#meetings.push({ id, random, named: [...present], place: told, days, knows, isOver: false });
  }

  /** A room of this party's own and somebody who comes for them alone: nobody else ever hears of either. */
  async #bring(partyId: string) {
    const [inside, guest] = [this.#newPlace(), `${this.#newPlace()}guest`];
    const { id: roomId } = await createRoom(this.#scope, { name: inside, place: "", capacity: null, notes: "" });
    const contact = await createContact(this.#scope, contactFields({ lastName: guest, email: "", organisation: "" }));
    const link = { id: contact.id, caseId: this.#caseId, role: "other" as const, partyId };
    await linkContact(this.#scope, link);
    // What is held where stands in the invitations of the moment, and not in what is shown for good.
    for (const word of [inside, guest]) this.#tell(word, [partyId]).shownTo.clear();
    const person = { kind: "contact" as const, personId: contact.id, role: "supporter" as const };
    return { room: { roomId, partyIds: [partyId] }, other: { ...person, partyId, signedOn: "" } };
  }

  async #happen(meeting: Standing, what: Happening, present: readonly string[]): Promise<void> {
    const there = meeting.named.filter((partyId) => present.includes(partyId));
    switch (what) {
      case "place":
        return this.#change(meeting, this.#tell(this.#newPlace(), []), there);
      case "name": {
        const added = present.filter((partyId) => !meeting.named.includes(partyId));
        if (added.length === 0) return undefined;
        meeting.named.push(...added);
        return this.#change(meeting, meeting.place, [...there, ...added]);
      }
      case "moved":
        return this.#move(meeting, there);
      case "remind":
        return this.#remind(meeting, there);
      default:
        return this.#setStatus(meeting, what, there);
    }
  }

  /** From now on these know where it is. */
  #knowPlace(meeting: Standing, place: Told, readers: readonly string[]): void {
    meeting.place = place;
    for (const partyId of readers) {
      const before = meeting.knows.get(partyId);
      meeting.knows.set(partyId, place);
      if (before && before !== place && !this.#isShown(before, partyId)) before.shownTo.delete(partyId);
      place.readers.add(partyId);
      place.shownTo.add(partyId);
    }
  }

  #isShown = (place: Told, partyId: string) => this.#meetings.some(({ knows }) => knows.get(partyId) === place);

  async #change(meeting: Standing, place: Told, readers: readonly string[]): Promise<void> {
    const { id, version, type, title, mediatorIds, ...rest } = await getMeeting(this.#scope, meeting.id);
    const { arrivals, arrangements, againstMeasures, note } = rest;
    const location = { kind: "in_person" as const, place: place.canary };
    const details = { id, version, type, title, mediatorIds, arrivals, arrangements, againstMeasures, note, location };
    await updateMeeting(this.#scope, { ...details, partyIds: [...meeting.named] });
    this.#knowPlace(meeting, place, readers);
    for (const partyId of readers) {
      for (const { readers: known } of meeting.days) known.add(partyId);
      meeting.days[0]?.shownTo.add(partyId);
    }
  }

  async #move(meeting: Standing, there: readonly string[]): Promise<void> {
    const { version, status } = await getMeeting(this.#scope, meeting.id);
    if (!MEETING_TRANSITIONS[status].includes("rescheduled")) return;
    const startsAt = this.#newDay();
    const endsAt = new Date(startsAt.getTime() + HOUR_MS).toISOString();
    const when = { startsAt: startsAt.toISOString(), endsAt, reason: "Asked for", allowsOverlap: true };
    const { id } = await rescheduleMeeting(this.#scope, { id: meeting.id, version, ...when });
    meeting.isOver = true;
    const days = await this.#tellDay(startsAt, there);
    const { random, named, place } = meeting;
    const next = { id, random, named: [...named], place, days, knows: new Map(), isOver: false };
    this.#meetings.push(next);
    this.#knowPlace(next, place, there);
  }

  async #remind({ id, named, place, knows, random }: Standing, there: readonly string[]): Promise<void> {
    const { ownerId } = this.#scope;
    const doc = await MeetingModel.findOne({ ownerId, _id: id }).lean();
    if (!doc || !random.isInvited) return;
    await remindParties(this.#scope, doc, await getCase(this.#scope, this.#caseId));
    for (const partyId of there)
      if (named.includes(partyId) && knows.get(partyId) === place) this.reminded.add(partyId);
  }

  async #setStatus(meeting: Standing, to: "confirmed" | "completed" | "cancelled", there: readonly string[]) {
    const { id, place, knows } = meeting;
    const { version, status, startsAt } = await getMeeting(this.#scope, id);
    if (!MEETING_TRANSITIONS[status].includes(to)) return;
    const change = { id, version };
    if (to === "cancelled")
      await cancelMeeting(this.#scope, { ...change, reason: "Ill", isLate: false, isWholeSeries: false });
    else {
      // Why something was missing then is nobody's but the practice's.
      const unmetReason = `qxwhy${id}`;
      this.#tell(unmetReason, []);
      await setMeetingStatus(this.#scope, { ...change, to, unmetReason });
    }
    const { longDay, time } = await practiceDates(this.#scope.ownerId);
    const at = new Date(startsAt);
    const following = there.filter((partyId) => knows.get(partyId) === place);
    this.#tell(`on ${longDay(at)} at ${time(at)} ${to}`, to === "cancelled" ? [...knows.keys()] : following);
    meeting.isOver = to === "cancelled";
  }
}
