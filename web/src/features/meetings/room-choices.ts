// Rooms of a meeting while somebody chooses them: whose each is has to be said where there are several.
import type { Meeting } from "@app/shared/meetings";

export const EVERYBODYS = "all";

export interface RoomChoice {
  roomId: string;
  /** A party's id, everybody's, or empty until it is said. */
  whose: string;
}

export const roomChoicesOf = (rooms: Meeting["rooms"]): RoomChoice[] =>
  rooms.map(({ roomId, partyIds: [partyId] }) => ({ roomId, whose: partyId ?? EVERYBODYS }));

/** Where one room is for all who come nobody has to say it. */
export const asksWhose = (rooms: readonly RoomChoice[], coming: number): boolean => rooms.length > 1 && coming > 1;

/** As they are sent; somebody's own room goes with them. */
export const roomsOf = (rooms: readonly RoomChoice[], partyIds: readonly string[]) =>
  rooms.map(({ roomId, whose }) => ({ roomId, partyIds: partyIds.includes(whose) ? [whose] : [] }));

export function checkRooms(rooms: readonly RoomChoice[], partyIds: readonly string[]): Record<string, string> {
  const isOpen = ({ whose }: RoomChoice) => whose !== EVERYBODYS && !partyIds.includes(whose);
  return asksWhose(rooms, partyIds.length) && rooms.some(isOpen) ? { rooms: "Say whose room each is" } : {};
}

/** The message of a field or of any part of it. */
export const errorAt = (errors: Record<string, string | undefined>, field: string): string | undefined =>
  Object.entries(errors).find(([path]) => path === field || path.startsWith(`${field}.`))?.[1];
