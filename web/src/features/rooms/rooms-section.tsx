import { can } from "@app/shared/access";
import type { Room } from "@app/shared/rooms";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { later } from "../../ui/later.tsx";
import { Section } from "../../ui/section.tsx";
import "./rooms.css";

const RoomDialog = later(async () => (await import("./room-dialog.tsx")).RoomDialog);

/** The rooms that the practice meets in: each can be booked once at a time. */
export function RoomsSection() {
  const rooms = api.rooms.list.useQuery();
  const mayChange = can(useCurrentUser(), "calendar.manage");
  const [open, setOpen] = useState<Room | "new" | null>(null);
  const active = rooms.data?.items.filter(({ status }) => status === "active").length;
  return (
    <Section
      title="Rooms"
      count={active || undefined}
      action={mayChange ? <AddButton onClick={() => setOpen("new")}>Add a room</AddButton> : undefined}
    >
      <Loaded query={rooms} failureTitle="The rooms could not be read">
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">
              No rooms yet. Add your rooms to book them with meetings; no room can be booked twice at once.
            </p>
          ) : (
            <ul className="rooms">
              {items.map((room) => (
                <RoomRow key={room.id} room={room} onEdit={mayChange ? () => setOpen(room) : null} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {open && <RoomDialog room={open === "new" ? null : open} onClose={() => setOpen(null)} />}
    </Section>
  );
}

const factsOf = ({ place, capacity, status }: Room): string =>
  [status === "archived" && "Archived", place, capacity && `${capacity} seats`].filter(Boolean).join(", ");

function RoomRow({ room, onEdit }: { room: Room; onEdit: (() => void) | null }) {
  const { name, notes, status } = room;
  const setStatus = useSetStatus(room);
  return (
    <li>
      <div className="room-words">
        <strong>{name}</strong>
        <span>{factsOf(room)}</span>
        {notes && <span>{notes}</span>}
      </div>
      {onEdit && (
        <>
          <Button size="xs" variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
          <Button
            size="xs"
            variant="subtle"
            aria-label={`${status === "active" ? "Archive" : "Bring back"} ${name}`}
            onClick={() => void setStatus(status === "active" ? "archived" : "active")}
          >
            {status === "active" ? "Archive" : "Bring back"}
          </Button>
        </>
      )}
    </li>
  );
}

function useSetStatus({ id, name }: Room) {
  const utils = api.useUtils();
  const { mutateAsync } = api.rooms.setStatus.useMutation({ onSettled: () => utils.rooms.invalidate() });
  return async function set(status: Room["status"]): Promise<void> {
    try {
      await mutateAsync({ id, status });
      if (status === "active") notify(`${name} can be booked again`);
      else notify(`${name} is archived`, { label: "Undo", onAct: () => void set("active") });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
}
