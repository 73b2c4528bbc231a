import { type Room, ROOM_CAPACITY_MAX } from "@app/shared/rooms";
import { NumberInput, Stack, Textarea, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { plainFields } from "../../ui/version-fields.ts";

interface Props {
  /** Null for a new one. */
  room: Room | null;
  onClose: () => void;
}

export const RoomDialog = ({ room, onClose }: Props) => (
  <Dialog isOpen onClose={onClose} title={room ? "Edit room" : "New room"}>
    {room ? <EditForm room={room} onClose={onClose} /> : <NewForm onClose={onClose} />}
  </Dialog>
);

type Values = Pick<Room, "name" | "place" | "capacity" | "notes">;

const recordOf = ({ name, place, capacity, notes, version }: Room) => ({
  values: { name, place, capacity, notes },
  version,
});

const FIELDS = plainFields<Values>(
  { name: "Name", place: "Address or floor", capacity: "Seats", notes: "Notes" },
  { capacity: (capacity) => String(capacity ?? "") },
);

/** Tells the page of what was saved, and closes. */
function useSaved(onClose: () => void) {
  const utils = api.useUtils();
  return async () => {
    await utils.rooms.invalidate();
    notify("Room saved");
    onClose();
  };
}

function NewForm({ onClose }: { onClose: () => void }) {
  const saved = useSaved(onClose);
  const create = api.rooms.create.useMutation();
  const form = useServerForm<Values>({
    initialValues: { name: "", place: "", capacity: null, notes: "" },
    submit: async (values, id) => {
      await create.mutateAsync({ id, ...values });
      await saved();
    },
  });
  return (
    <Form form={form} label="Room">
      <RoomFields form={form} />
    </Form>
  );
}

function EditForm({ room, onClose }: { room: Room; onClose: () => void }) {
  const utils = api.useUtils();
  const saved = useSaved(onClose);
  const update = api.rooms.update.useMutation();
  const form = useVersionedForm<Values>({
    fields: FIELDS,
    stored: recordOf(room),
    async read() {
      const { items } = await utils.rooms.list.fetch(undefined, { staleTime: 0 });
      return recordOf(items.find(({ id }) => id === room.id) ?? room);
    },
    async send(values, version) {
      const stored = await update.mutateAsync({ ...values, id: room.id, version });
      await saved();
      return recordOf(stored);
    },
  });
  return (
    <VersionedForm form={form} what="room" label="Room">
      <RoomFields form={form} />
    </VersionedForm>
  );
}

type FieldsForm = ReturnType<typeof useServerForm<Values>> | ReturnType<typeof useVersionedForm<Values>>;

function RoomFields({ form }: { form: FieldsForm }) {
  return (
    <Stack gap="lg">
      <TextInput
        label="Name"
        description="Stands in invitations. What was sent keeps the name that it had"
        {...form.field("name")}
      />
      <TextInput label="Address or floor (optional)" {...form.field("place")} />
      <NumberInput
        label="Seats (optional)"
        min={1}
        max={ROOM_CAPACITY_MAX}
        allowDecimal={false}
        error={form.errors["capacity"]}
        value={form.values.capacity ?? ""}
        onChange={(seats) => form.setFieldValue("capacity", Number(seats) || null)}
      />
      <Textarea label="Notes for the practice (optional)" autosize minRows={2} {...form.field("notes")} />
      <FormFoot isSaving={form.isSaving}>Save</FormFoot>
    </Stack>
  );
}
