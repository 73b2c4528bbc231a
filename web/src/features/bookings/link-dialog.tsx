import type { BookingLink } from "@app/shared/bookings";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { LinkFields } from "./link-fields.tsx";
import { LINK_FIELDS, type LinkValues, newLinkValues, recordOf, sentOf } from "./link-values.ts";

interface Props {
  /** "new", or which one is changed. */
  linkId: string;
  onClose: () => void;
}

export const LinkDialog = ({ linkId, onClose }: Props) => (
  <Dialog isOpen onClose={onClose} title={linkId === "new" ? "New booking link" : "Booking link"} size="form">
    {linkId === "new" ? <NewForm onClose={onClose} /> : <StoredForm id={linkId} onClose={onClose} />}
  </Dialog>
);

function useSaved(onClose: () => void) {
  const utils = api.useUtils();
  return async (message: string) => {
    await utils.bookings.invalidate();
    notify(message);
    onClose();
  };
}

function NewForm({ onClose }: { onClose: () => void }) {
  const { userId } = useCurrentUser();
  const saved = useSaved(onClose);
  const create = api.bookings.createLink.useMutation();
  const form = useServerForm<LinkValues>({
    initialValues: newLinkValues(userId),
    submit: async (values, id) => {
      await create.mutateAsync({ id, ...sentOf(values) });
      await saved("The link is made. Copy it from the list.");
    },
  });
  return (
    <Form form={form} label="Booking link">
      <LinkFields form={form} isNew />
    </Form>
  );
}

function StoredForm({ id, onClose }: { id: string; onClose: () => void }) {
  const query = api.bookings.getLink.useQuery({ id }, { staleTime: 0, gcTime: 0 });
  return (
    <Loaded query={query} failureTitle="The booking link could not be read">
      {(link) => <EditForm link={link} onClose={onClose} />}
    </Loaded>
  );
}

function EditForm({ link, onClose }: { link: BookingLink; onClose: () => void }) {
  const utils = api.useUtils();
  const saved = useSaved(onClose);
  const update = api.bookings.updateLink.useMutation();
  const form = useVersionedForm<LinkValues>({
    fields: LINK_FIELDS,
    stored: recordOf(link),
    read: async () => recordOf(await utils.bookings.getLink.fetch({ id: link.id }, { staleTime: 0 })),
    async send(values, version) {
      const stored = await update.mutateAsync({ ...sentOf(values), id: link.id, version });
      await saved("The link is saved. Whoever has it can go on using it.");
      return recordOf(stored);
    },
  });
  return (
    <VersionedForm form={form} what="booking link" label="Booking link">
      <LinkFields form={form} clientName={link.clientName} />
    </VersionedForm>
  );
}
