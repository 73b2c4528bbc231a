import type { Party } from "@app/shared/cases";
import { MEETING_ROOMS_MAX } from "@app/shared/meeting-others";
import type { Meeting } from "@app/shared/meetings";
import { MultiSelect, NativeSelect, SimpleGrid } from "@mantine/core";
import { api } from "../../core/api.ts";
import { asksWhose, EVERYBODYS, type RoomChoice } from "./room-choices.ts";

interface Props {
  value: readonly RoomChoice[];
  /** Rooms that the meeting has, which may be archived by now. */
  booked?: Meeting["rooms"];
  coming: readonly Pick<Party, "partyId" | "name">[];
  error: string | undefined;
  onChange: (rooms: RoomChoice[]) => void;
}

/** In which of the practice's rooms it is; of several, whose each is. Nothing where the practice has none. */
export function RoomFields({ value, booked = [], coming, error, onChange }: Props) {
  const list = api.rooms.list.useQuery();
  const rooms = list.data?.items ?? [];
  const active = rooms.filter(({ status }) => status === "active");
  const gone = booked.filter(({ roomId }) => !active.some(({ id }) => id === roomId));
  const data = [
    ...active.map(({ id, name, capacity }) => ({ value: id, label: capacity ? `${name} (${capacity} seats)` : name })),
    ...gone.map(({ roomId, name }) => ({ value: roomId, label: `${name} (archived)` })),
  ];
  if (data.length === 0) return null;
  const nameOf = (id: string) =>
    booked.find(({ roomId }) => roomId === id)?.name ?? active.find((room) => room.id === id)?.name ?? "";
  const isAsked = asksWhose(value, coming.length);
  const choose = (ids: string[]) =>
    onChange(ids.map((roomId) => value.find((one) => one.roomId === roomId) ?? { roomId, whose: "" }));
  return (
    <>
      <MultiSelect
        label="Rooms (optional)"
        description="Each is in one meeting at a time"
        data={data}
        maxValues={MEETING_ROOMS_MAX}
        value={value.map(({ roomId }) => roomId)}
        error={isAsked ? undefined : error}
        onChange={choose}
      />
      {isAsked && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {value.map(({ roomId, whose }, index) => (
            <NativeSelect
              key={roomId}
              label={`Whose room is ${nameOf(roomId)}?`}
              description={index === 0 ? "Each party is told only of theirs" : undefined}
              data={[
                { value: "", label: "Choose" },
                ...coming.map(({ partyId, name }) => ({ value: partyId, label: name })),
                { value: EVERYBODYS, label: "Everybody’s" },
              ]}
              value={whose}
              error={index === 0 ? error : undefined}
              onChange={({ currentTarget }) =>
                onChange(value.map((one) => (one.roomId === roomId ? { roomId, whose: currentTarget.value } : one)))
              }
            />
          ))}
        </SimpleGrid>
      )}
    </>
  );
}
