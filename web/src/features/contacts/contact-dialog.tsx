import { can } from "@app/shared/access";
import type { Contact } from "@app/shared/contacts";
import { Button } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconPencil } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { ContactAdder } from "./contact-adder.tsx";
import { ContactEditor } from "./contact-editor.tsx";
import { ContactView } from "./contact-view.tsx";
import { type ContactsSearch, withoutDialog } from "./contacts-search.ts";

/** What stands over the list: one contact to read or to change, or an empty form. */
export function ContactDialog({ search }: { search: ContactsSearch }) {
  const navigate = useNavigate();
  const user = useCurrentUser();
  const list = withoutDialog(search);
  const show = (next: ContactsSearch) => void navigate({ to: "/contacts", search: next });
  const close = () => show(list);
  const mayWrite = can(user, "clients.write");
  if (search.open === undefined)
    return mayWrite ? <ContactAdder onClose={close} onAdded={({ id }) => show({ ...list, open: id })} /> : null;
  const reading = { ...list, open: search.open };
  return (
    <OpenContact
      key={search.open}
      id={search.open}
      isEditing={mayWrite && search.edit === true}
      mayWrite={mayWrite}
      onClose={close}
      onEdit={() => show({ ...reading, edit: true })}
      onRead={() => show(reading)}
    />
  );
}

interface Props {
  id: string;
  isEditing: boolean;
  mayWrite: boolean;
  onClose: () => void;
  onEdit: () => void;
  onRead: () => void;
}

function OpenContact({ id, isEditing, mayWrite, onClose, onEdit, onRead }: Props) {
  const contact = api.contacts.get.useQuery({ id });
  const name = contact.data?.displayName ?? "Contact";
  const isReadable = contact.data && !isEditing && mayWrite;
  // Whoever comes back from editing finds the focus where they left it.
  const [hasEdited, setHasEdited] = useState(isEditing);
  const edit = () => {
    setHasEdited(true);
    onEdit();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={isEditing ? `Edit ${name}` : name}
      size="form"
      footer={isReadable ? <Footer contact={contact.data} isFocused={hasEdited} onEdit={edit} /> : undefined}
    >
      <Loaded query={contact} failureTitle="The contact could not be read">
        {(data) =>
          isEditing ? (
            <ContactEditor contact={data} onLeave={onRead} />
          ) : (
            <ContactView contact={data} mayWrite={mayWrite} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface FooterProps {
  contact: Contact;
  isFocused: boolean;
  onEdit: () => void;
}

function Footer({ contact, isFocused, onEdit }: FooterProps) {
  const toggle = useArchive(contact);
  const isArchived = contact.status === "archived";
  return (
    <>
      <Button
        variant="default"
        data-left
        leftSection={isArchived ? <IconArchiveOff {...icon} /> : <IconArchive {...icon} />}
        onClick={() => void toggle(isArchived ? "active" : "archived")}
      >
        {isArchived ? "Bring back" : "Archive"}
      </Button>
      <Button autoFocus={isFocused} leftSection={<IconPencil {...icon} />} onClick={onEdit}>
        Edit details
      </Button>
    </>
  );
}

/** Archives or brings back, with a way to undo it at once. */
function useArchive({ id, displayName }: Contact) {
  const utils = api.useUtils();
  const setStatus = api.contacts.setStatus.useMutation({ onSettled: () => utils.contacts.invalidate() });
  const move = async (status: "active" | "archived") => {
    try {
      await setStatus.mutateAsync({ ids: [id], status });
      const undo = () => void move(status === "archived" ? "active" : "archived");
      notify(`${displayName} ${status === "archived" ? "archived" : "brought back"}`, { label: "Undo", onAct: undo });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return move;
}
