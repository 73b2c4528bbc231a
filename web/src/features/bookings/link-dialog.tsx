import type { BookingLink } from "@app/shared/bookings";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { DepositChoices } from "./deposit-fields.tsx";
import { LinkFields } from "./link-fields.tsx";
import { depositProblems, LINK_FIELDS, type LinkValues, newLinkValues, recordOf, sentOf } from "./link-values.ts";

interface Props {
  /** "new", or which one is changed. */
  linkId: string;
  onClose: () => void;
}

export const LinkDialog = ({ linkId, onClose }: Props) => (
  <Dialog isOpen onClose={onClose} title={linkId === "new" ? "New booking link" : "Booking link"} size="form">
    <LinkForm linkId={linkId} onClose={onClose} />
  </Dialog>
);

/** What can be asked for is known before anything is typed, because amounts are read by it. */
function LinkForm({ linkId, onClose }: Props) {
  const choices = api.bookings.depositChoices.useQuery();
  return (
    <Loaded query={choices} failureTitle="What can be asked to be paid could not be read">
      {(data) =>
        linkId === "new" ? (
          <NewForm choices={data} onClose={onClose} />
        ) : (
          <StoredForm id={linkId} choices={data} onClose={onClose} />
        )
      }
    </Loaded>
  );
}

function useSaved(onClose: () => void) {
  const utils = api.useUtils();
  return async (message: string) => {
    await utils.bookings.invalidate();
    notify(message);
    onClose();
  };
}

interface FormProps {
  choices: DepositChoices;
  onClose: () => void;
}

function NewForm({ choices, onClose }: FormProps) {
  const { userId } = useCurrentUser();
  const saved = useSaved(onClose);
  const create = api.bookings.createLink.useMutation();
  const form = useServerForm<LinkValues>({
    initialValues: newLinkValues(userId),
    validate: (values) => depositProblems(values, choices.currency),
    submit: async (values, id) => {
      await create.mutateAsync({ id, ...sentOf(values, choices.currency) });
      await saved("The link is made. Copy it from the list.");
    },
  });
  return (
    <Form form={form} label="Booking link">
      <LinkFields form={form} choices={choices} isNew />
    </Form>
  );
}

function StoredForm({ id, ...props }: FormProps & { id: string }) {
  const query = api.bookings.getLink.useQuery({ id }, { staleTime: 0, gcTime: 0 });
  return (
    <Loaded query={query} failureTitle="The booking link could not be read">
      {(link) => <EditForm link={link} {...props} />}
    </Loaded>
  );
}

function EditForm({ link, choices, onClose }: FormProps & { link: BookingLink }) {
  const { currency } = choices;
  const utils = api.useUtils();
  const saved = useSaved(onClose);
  const update = api.bookings.updateLink.useMutation();
  const form = useVersionedForm<LinkValues>({
    fields: LINK_FIELDS,
    stored: recordOf(link, currency),
    validate: (values) => depositProblems(values, currency),
    read: async () => recordOf(await utils.bookings.getLink.fetch({ id: link.id }, { staleTime: 0 }), currency),
    async send(values, version) {
      const stored = await update.mutateAsync({ ...sentOf(values, currency), id: link.id, version });
      await saved("The link is saved. Whoever has it can go on using it.");
      return recordOf(stored, currency);
    },
  });
  return (
    <VersionedForm form={form} what="booking link" label="Booking link">
      <LinkFields form={form} choices={choices} clientName={link.clientName} />
    </VersionedForm>
  );
}
