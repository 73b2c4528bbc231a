// Rooms and interpreters: whoever comes at the same moment, in one meeting at a time.
import { OutboxModel } from "@app/server/features/outbox/outbox.model";
import { contentOf } from "@app/server/features/outbox/outbox.service";
import { MeetingModel } from "@app/server/features/meetings/meetings.model";
import { roomsOfMeetings } from "@app/server/features/meetings/meetings.migration";
import type { CreateMeeting, Meeting } from "@app/shared/meetings";
import { newId } from "@app/server/core/ids";
import { expect, test } from "vitest";
import { aMediatedCase } from "../support/server/led.ts";
import { aCase, aMeetingInput, aPractice, aRoom, aStaffUser, meetingDetailsOf } from "../support/server/people.ts";
import { aContact } from "../support/access/contacts-access.ts";
import { refusal } from "../support/access/refusal.ts";
import { startTestApp } from "../support/server/test-app.ts";
import { forAllTests } from "../support/server/lifetimes.ts";

const AT_ONCE = 20;
const HOUR_MS = 3_600_000;
const app = forAllTests(startTestApp);
const practice = forAllTests(() => aPractice(app));

let day = 0;
const aTime = (): string => new Date(Date.UTC(2033, 0, 5 + (day += 1), 9)).toISOString();
const later = (startsAt: string, hours: number) => new Date(Date.parse(startsAt) + hours * HOUR_MS).toISOString();
const book = (overrides: Partial<CreateMeeting>) =>
  practice.api.meetings.create.mutate(aMeetingInput(practice.ownerId, overrides));
const newRoom = (name?: string) => practice.api.rooms.create.mutate(aRoom(name ? { name } : {}));
const inRoom = ({ id }: { id: string }, partyIds: string[] = []) => ({ rooms: [{ roomId: id, partyIds }] });
const move = ({ id, version }: Meeting, startsAt: string, allowsOverlap = true) =>
  practice.api.meetings.reschedule.mutate({
    changeId: newId(),
    id,
    version,
    startsAt,
    endsAt: later(startsAt, 1),
    reason: "",
    allowsOverlap,
  });
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => "OK",
    async (error: unknown) => (await refusal(Promise.reject(error))).code,
  );

async function textsTo(caseId: string, partyId: string): Promise<string[]> {
  const docs = await OutboxModel.find({ caseId, partyId }).setOptions({ anyOwner: true }).sort({ createdAt: 1 }).lean();
  return docs.map((doc) => contentOf(doc)).map(({ text, attachments }) => `${text}\n${attachments[0]?.content ?? ""}`);
}

test("rooms.list: when one of three rooms is archived, then it stands behind the others, which stand by name, and no other practice's", async () => {
  const house = await aPractice(app);
  const { api } = house;
  for (const name of ["Willow", "attic", "Garden"]) await api.rooms.create.mutate(aRoom({ name }));
  const { items } = await api.rooms.list.query();
  const garden = items.find(({ name }) => name === "Garden");
  await api.rooms.setStatus.mutate({ id: garden?.id ?? "", status: "archived" });
  const listed = (await api.rooms.list.query()).items.map(({ name, status }) => [name, status]);
  expect(listed).toEqual([
    ["attic", "active"],
    ["Willow", "active"],
    ["Garden", "archived"],
  ]);
  const staff = await aStaffUser(app, house, { permissions: ["clients.read"] });
  expect((await staff.api.rooms.list.query()).items).toHaveLength(3);
});

test(`meetings.create: when ${AT_ONCE} at once want one room, also beside what their mediators have, then one gets it`, async () => {
  const room = await newRoom();
  const startsAt = aTime();
  const codes = await Promise.all(
    Array.from({ length: AT_ONCE }, () => codeOf(book({ startsAt, allowsOverlap: true, ...inRoom(room) }))),
  );
  expect(codes.filter((code) => code === "OK")).toHaveLength(1);
  expect(codes.filter((code) => code === "CONFLICT")).toHaveLength(AT_ONCE - 1);
});

test(`meetings.create: when ${AT_ONCE} at once want one interpreter for different cases' mediators, then one gets them`, async () => {
  const interpreter = await aStaffUser(app, practice, { role: 3 });
  const { items } = await practice.api.staff.list.query();
  const personId = items.find(({ email }) => email === interpreter.email)?.id ?? "";
  const startsAt = aTime();
  const others = [{ kind: "colleague" as const, personId, role: "interpreter" as const, partyId: null, signedOn: "" }];
  const codes = await Promise.all(
    Array.from({ length: AT_ONCE }, () => codeOf(book({ startsAt, allowsOverlap: true, others }))),
  );
  expect(codes.filter((code) => code === "OK")).toHaveLength(1);
  expect(await codeOf(book({ startsAt, mediatorIds: [personId] }))).toBe("CONFLICT");
  expect(await codeOf(book({ startsAt: later(startsAt, 1), others }))).toBe("OK");
  // Whatever they come as, they are one person.
  const observer = others.map((one) => ({ ...one, role: "observer" as const }));
  expect(await codeOf(book({ startsAt, allowsOverlap: true, others: observer }))).toBe("CONFLICT");
  const next = later(startsAt, 2);
  expect(await codeOf(book({ startsAt: next, allowsOverlap: true, others: observer }))).toBe("OK");
  expect(await codeOf(book({ startsAt: next, allowsOverlap: true, others }))).toBe("CONFLICT");
  expect(await codeOf(book({ startsAt: next, allowsOverlap: true, others: observer }))).toBe("OK");
});

test("rooms: when one is taken, then the refusal names it and not the other meeting, and the time after it is free", async () => {
  const room = await newRoom("Linden");
  const startsAt = aTime();
  await book({ startsAt, title: "Secret title", ...inRoom(room) });
  const refused = await refusal(book({ startsAt, allowsOverlap: true, ...inRoom(room) }));
  expect(refused).toMatchObject({ code: "CONFLICT" });
  expect(refused.fields).toEqual({ rooms: "“Linden” is booked at this time. Choose another room or another time." });
  expect(await book({ startsAt: later(startsAt, 1), ...inRoom(room) })).toMatchObject({
    rooms: [{ roomId: room.id, name: "Linden", place: "First floor", partyIds: [] }],
  });
});

test("rooms: when one time of a series is taken, then none of it is booked; when a meeting moves there, then it stays", async () => {
  const room = await newRoom();
  const startsAt = aTime();
  const third = later(startsAt, 14 * 24);
  await book({ startsAt: third, allowsOverlap: true, ...inRoom(room) });
  const series = { startsAt, allowsOverlap: true, repeat: { everyWeeks: 1, times: 4 }, ...inRoom(room) };
  expect(await codeOf(book(series))).toBe("CONFLICT");
  expect(await MeetingModel.countDocuments({ ownerId: practice.ownerId, heldIds: room.id })).toBe(1);
  const own = await book({ startsAt, allowsOverlap: true, ...inRoom(room) });
  expect(await codeOf(move(own, third))).toBe("CONFLICT");
  const moved = await move(own, later(startsAt, 2));
  expect(await codeOf(book({ startsAt, allowsOverlap: true, ...inRoom(room) }))).toBe("OK");
  const elsewhere = await book({ startsAt: later(startsAt, 2), allowsOverlap: true });
  expect(await codeOf(practice.api.meetings.update.mutate({ ...meetingDetailsOf(elsewhere), ...inRoom(room) }))).toBe(
    "CONFLICT",
  );
  const why = { changeId: newId(), reason: "Ill", isLate: false, isWholeSeries: false };
  await practice.api.meetings.cancel.mutate({ id: moved.id, version: moved.version, ...why });
  expect(await codeOf(practice.api.meetings.update.mutate({ ...meetingDetailsOf(elsewhere), ...inRoom(room) }))).toBe(
    "OK",
  );
});

test("rooms: when one is archived, missing, another practice's or asked for by video, then it is refused at its field", async () => {
  const room = await newRoom();
  const startsAt = aTime();
  const booked = await book({ startsAt, ...inRoom(room) });
  await practice.api.rooms.setStatus.mutate({ id: room.id, status: "archived" });
  const foreign = await (await aPractice(app)).api.rooms.create.mutate(aRoom());
  for (const { id } of [room, foreign, { id: "nothing" }])
    expect((await refusal(book({ startsAt: aTime(), ...inRoom({ id }) }))).fields).toHaveProperty("rooms");
  const video = { location: { kind: "video" as const, place: "" } };
  const other = await newRoom();
  expect((await refusal(book({ startsAt: aTime(), ...video, ...inRoom(other) }))).fields).toHaveProperty("rooms");
  // What stands there goes on without it being chosen anew; another time is a new choice.
  expect(await practice.api.meetings.update.mutate({ ...meetingDetailsOf(booked), note: "Coffee" })).toMatchObject({
    rooms: [{ roomId: room.id }],
  });
  expect(await codeOf(move({ ...booked, version: 1 }, aTime()))).toBe("BAD_REQUEST");
});

test("rooms: when two take one name, then the second is refused at it; when an older version is saved, then nothing is", async () => {
  const room = await newRoom("Oak");
  expect((await refusal(newRoom("oak"))).fields).toHaveProperty("name");
  const { id, version } = room;
  const fields = { name: "Oak", place: "", capacity: 4, notes: "No lift" };
  expect(await practice.api.rooms.update.mutate({ id, version, ...fields })).toMatchObject({ capacity: 4, version: 1 });
  expect(await codeOf(practice.api.rooms.update.mutate({ id, version, ...fields }))).toBe("CONFLICT");
});

test("invitations: when parties are in rooms apart, then each is told of theirs and everybody's alone; a new name of a room rewrites nothing", async () => {
  const { theCase, p1, p2 } = await aCase(practice);
  const [red, blue, hall] = [await newRoom("Redroom"), await newRoom("Bluechamber"), await newRoom("Greathall")];
  const rooms = [
    { roomId: red.id, partyIds: [p1.partyId] },
    { roomId: blue.id, partyIds: [p2.partyId] },
    { roomId: hall.id, partyIds: [] },
  ];
  const partyIds = [p1.partyId, p2.partyId];
  const place = { location: { kind: "in_person" as const, place: "" } };
  const meeting = await book({
    startsAt: aTime(),
    caseId: theCase.id,
    partyIds,
    rooms,
    isInvitationSent: true,
    ...place,
  });
  const [first] = await textsTo(theCase.id, p1.partyId);
  expect(first).toMatch(/In person: Redroom, First floor, Greathall, First floor/);
  expect(first).not.toContain("Bluechamber");
  const [second] = await textsTo(theCase.id, p2.partyId);
  expect(second).toMatch(/In person: Bluechamber/);
  expect(second).not.toContain("Redroom");
  await practice.api.rooms.update.mutate({
    id: red.id,
    version: 0,
    name: "Rose",
    place: "",
    capacity: null,
    notes: "",
  });
  const same = await practice.api.meetings.update.mutate({ ...meetingDetailsOf(meeting), note: "Tea", rooms });
  expect(same.rooms.map(({ name }) => name)).toEqual(["Redroom", "Bluechamber", "Greathall"]);
  expect(await textsTo(theCase.id, p1.partyId)).toHaveLength(1);
  // One who does not come any more takes their room along: it is nobody else's.
  const alone = await practice.api.meetings.update.mutate({ ...meetingDetailsOf(same), partyIds: [p2.partyId] });
  expect(alone.rooms.map(({ name }) => name)).toEqual(["Bluechamber", "Greathall"]);
  expect((await textsTo(theCase.id, p2.partyId)).join()).not.toContain("Redroom");
});

test("invitations: when people come for one party or for all, then the other party's people are in nothing that they get", async () => {
  const { theCase, p1, p2 } = await aCase(practice);
  const contact = async (lastName: string, partyId: string | null) => {
    const made = await practice.api.contacts.create.mutate(aContact({ lastName, email: `${newId()}@example.org` }));
    await practice.api.contacts.link.mutate({
      changeId: newId(),
      id: made.id,
      caseId: theCase.id,
      role: "other",
      partyId,
    });
    return made.id;
  };
  const hers = await contact("Hersolicitor", p1.partyId);
  const everybodys = await contact("Forall", null);
  const other = (personId: string, partyId: string | null) => ({
    kind: "contact" as const,
    personId,
    role: "supporter" as const,
    partyId,
    signedOn: "",
  });
  const partyIds = [p1.partyId, p2.partyId];
  const booking = { caseId: theCase.id, partyIds, isInvitationSent: true };
  for (const wrong of [null, p2.partyId])
    expect(
      (await refusal(book({ startsAt: aTime(), ...booking, others: [other(hers, wrong)] }))).fields,
    ).toHaveProperty("others");
  const others = [other(hers, p1.partyId), other(everybodys, null)];
  const meeting = await book({ startsAt: aTime(), ...booking, others });
  const [first] = await textsTo(theCase.id, p1.partyId);
  expect(first).toContain("Also there: Harriet Hersolicitor (supporter), Harriet Forall (supporter)");
  const [second] = await textsTo(theCase.id, p2.partyId);
  expect(second).toContain("Also there: Harriet Forall (supporter)");
  expect(second).not.toContain("Hersolicitor");
  // To take hers out is told to her alone.
  await practice.api.meetings.update.mutate({ ...meetingDetailsOf(meeting), others: [other(everybodys, null)] });
  expect(await textsTo(theCase.id, p1.partyId)).toHaveLength(2);
  expect(await textsTo(theCase.id, p2.partyId)).toHaveLength(1);
  const shown = await practice.api.partyView.preview.query({ caseId: theCase.id, partyId: p2.partyId });
  expect(JSON.stringify(shown)).toContain("Harriet Forall");
  expect(JSON.stringify(shown)).not.toContain("Hersolicitor");
});

test("sessions.start: when somebody has not signed, then it names who is missing; when they signed, then it starts, and locks once all are marked", async () => {
  const { theCase, p1, p2 } = await aMediatedCase(practice);
  const made = await practice.api.contacts.create.mutate(aContact({ firstName: "Ana", lastName: "Silva", email: "" }));
  await practice.api.contacts.link.mutate({
    changeId: newId(),
    id: made.id,
    caseId: theCase.id,
    role: "interpreter",
    partyId: null,
  });
  const others = [
    { kind: "contact" as const, personId: made.id, role: "interpreter" as const, partyId: null, signedOn: "" },
  ];
  const partyIds = [p1.partyId, p2.partyId];
  const meeting = await book({ startsAt: aTime(), caseId: theCase.id, partyIds, others });
  const begin = () => practice.api.sessions.start.mutate({ id: newId(), caseId: theCase.id, meetingId: meeting.id });
  const refused = await refusal(begin());
  expect(refused).toMatchObject({ code: "PRECONDITION_FAILED" });
  expect(refused.message).toContain("No signed confidentiality agreement from: Ana Silva (interpreter).");
  const signed = { id: meeting.id, personId: made.id, signedOn: "2026-01-05" };
  expect(await practice.api.meetings.noteOther.mutate(signed)).toMatchObject({
    others: [{ signedOn: "2026-01-05", attendance: null }],
  });
  const session = await begin();
  expect(session.status).toBe("in_progress");
  const ids = { changeId: newId(), id: session.id };
  for (const partyId of partyIds)
    await practice.api.sessions.setAttendance.mutate({ ...ids, changeId: newId(), partyId, state: "no_show" });
  const outcome = { code: "continues" as const, text: "" };
  await practice.api.sessions.update.mutate({ ...ids, changeId: newId(), outcome });
  await practice.api.sessions.move.mutate({ ...ids, changeId: newId(), to: "ended" });
  const lock = () =>
    practice.api.sessions.move.mutate({
      ...ids,
      changeId: newId(),
      to: "locked",
      unmetReason: "Asked before it began",
    });
  expect((await refusal(lock())).message).toBe("Record who came of: Ana Silva (interpreter).");
  await practice.api.meetings.noteOther.mutate({ id: meeting.id, personId: made.id, attendance: "present" });
  expect((await lock()).status).toBe("locked");
});

test("migration: when meetings are from before rooms, then they have none, hold none, and can be changed", async () => {
  const meeting = await book({ startsAt: aTime() });
  const filter = { ownerId: practice.ownerId, _id: meeting.id };
  await MeetingModel.updateOne(filter, { $unset: { rooms: "", others: "", heldIds: "" } });
  await roomsOfMeetings();
  expect(await practice.api.meetings.get.query({ id: meeting.id })).toMatchObject({ rooms: [], others: [] });
  expect(await practice.api.meetings.update.mutate({ ...meetingDetailsOf(meeting), note: "Later" })).toMatchObject({
    note: "Later",
  });
});

test("meetings.create: when more people come than a room has seats, then it is booked only as somebody confirms it", async () => {
  const room = await practice.api.rooms.create.mutate(aRoom({ name: "Nook", capacity: 2 }));
  const { theCase } = await aCase(practice);
  const meeting = {
    caseId: theCase.id,
    type: "other" as const,
    partyIds: theCase.parties.map(({ partyId }) => partyId),
    startsAt: aTime(),
    isInvitationSent: false,
    ...inRoom(room),
  };
  expect((await refusal(book(meeting))).fields).toEqual({
    allowsCrowding: "3 people come to “Nook”, which has 2 seats. Choose another room, or confirm that it is to be so.",
  });
  expect(await codeOf(book({ ...meeting, allowsCrowding: true }))).toBe("OK");
});

test("meetings.noteOther: of an interpreter who signed at one meeting, they signed for every meeting of that case, and of no other", async () => {
  const [here, there] = [await aMediatedCase(practice), await aMediatedCase(practice)];
  const made = await practice.api.contacts.create.mutate(aContact({ firstName: "Ana", lastName: "Silva", email: "" }));
  const comes = { role: "interpreter" as const, partyId: null };
  for (const { theCase } of [here, there])
    await practice.api.contacts.link.mutate({ changeId: newId(), id: made.id, caseId: theCase.id, ...comes });
  const others = [{ kind: "contact" as const, personId: made.id, ...comes, signedOn: "" }];
  const bookIn = ({ theCase, p1, p2 }: typeof here) =>
    book({ startsAt: aTime(), caseId: theCase.id, partyIds: [p1.partyId, p2.partyId], others });
  const [first, planned] = [await bookIn(here), await bookIn(here)];
  const note = (signedOn: string) =>
    practice.api.meetings.noteOther.mutate({ id: first.id, personId: made.id, signedOn });
  const signedAt = async (id: string) => (await practice.api.meetings.get.query({ id })).others[0]?.signedOn;
  await note("2026-01-05");
  const later = await bookIn(here);
  expect([await signedAt(planned.id), await signedAt(later.id)]).toEqual(["2026-01-05", "2026-01-05"]);
  expect(await signedAt((await bookIn(there)).id)).toBe("");
  await note("2026-01-06");
  expect([await signedAt(planned.id), await signedAt(later.id)]).toEqual(["2026-01-06", "2026-01-06"]);
});
