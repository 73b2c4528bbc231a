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
