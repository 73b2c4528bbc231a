// The rooms of a meeting, with the names that they had when they were chosen.
import type { BookedRoom } from "@app/shared/meeting-others";
import type { CreateMeeting } from "@app/shared/meetings";
import { badField } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { bookableRooms } from "../rooms/rooms.service.ts";

type Place = Pick<CreateMeeting, "partyIds" | "location">;
interface Planned extends Place {
  rooms: CreateMeeting["rooms"];
}

/**
 * What is stored of these rooms. One that the meeting had `before` keeps the name that was sent with it; whose room it
 * is goes with those who do not come any more.
 */
export async function roomsFor(
  scope: Scope,
  { rooms, partyIds, location }: Planned,
  before: readonly BookedRoom[] = [],
): Promise<BookedRoom[]> {
  if (rooms.length === 0) return [];
  if (location.kind !== "in_person")
    throw badField("rooms", "Only a meeting in person has rooms. Take them out, or change where it is.");
  const known = new Map(before.map((room) => [room.roomId, room]));
  const bookable = await bookableRooms(
    scope,
    rooms.map(({ roomId }) => roomId),
  );
  return rooms.map(({ roomId, partyIds: owners }) => {
    const kept = known.get(roomId) ?? bookable.get(roomId);
    if (!kept) throw badField("rooms", "A room that you chose is archived or missing. Choose another one.");
    if (owners.some((id) => !partyIds.includes(id)))
      throw badField(
        "rooms",
        `“${kept.name}” is the room of somebody who does not come. Choose again whose room it is.`,
      );
    return { roomId, partyIds: owners, name: kept.name, place: kept.place };
  });
}

type Coming = Pick<CreateMeeting, "mediatorIds" | "partyIds" | "childIds" | "others"> & {
  rooms: readonly BookedRoom[];
};

/** BAD_REQUEST where a room has fewer seats than people are to sit in it: mediators go to and fro between parties' own. */
export async function assertSeats(scope: Scope, { rooms, ...coming }: Coming): Promise<void> {
  const ids = rooms.map(({ roomId }) => roomId);
  const bookable = await bookableRooms(scope, ids);
  for (const room of rooms) {
    const seats = bookable.get(room.roomId)?.capacity ?? null;
    const people = peopleIn(room, coming);
    if (seats !== null && people > seats)
      throw badField(
        "allowsCrowding",
        `${people} people come to “${room.name}”, which has ${seats === 1 ? "1 seat" : `${seats} seats`}. Choose another room, or confirm that it is to be so.`,
      );
  }
}

function peopleIn(
  { partyIds: owners }: BookedRoom,
  { partyIds, mediatorIds, childIds, others }: Omit<Coming, "rooms">,
) {
  if (owners.length === 0) return partyIds.length + mediatorIds.length + childIds.length + others.length;
  return owners.length + others.filter(({ partyId }) => partyId !== null && owners.includes(partyId)).length;
}

/** The rooms of one who comes: their own and everybody's, never the other's. */
export const roomsOfParty = (rooms: readonly BookedRoom[], partyId: string): BookedRoom[] =>
  rooms.filter(({ partyIds }) => partyIds.length === 0 || partyIds.includes(partyId));

/** Those that go on where nothing was said of rooms; somebody's own room goes with them. */
export const keptRooms = ({ rooms }: { rooms: readonly BookedRoom[] }, { partyIds, location }: Place) =>
  location.kind === "in_person"
    ? rooms
        .filter(({ partyIds: owners }) => owners.length === 0 || owners.some((id) => partyIds.includes(id)))
        .map(({ roomId, partyIds: owners }) => ({ roomId, partyIds: owners.filter((id) => partyIds.includes(id)) }))
    : [];
