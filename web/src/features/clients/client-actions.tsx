import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import { Button, Menu } from "@mantine/core";
import {
  IconArchive,
  IconArchiveOff,
  IconCalendarPlus,
  IconDots,
  IconDownload,
  IconFolderPlus,
  IconMail,
  IconPencil,
  IconSquarePlus,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { downloadOf } from "../../core/download.ts";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { ClientDialog, type ClientDialogName } from "./client-dialog.tsx";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  client: Client;
  theCase: Case | null;
}

/** What can be done with a client, from wherever on the page; on a phone behind one button, so that the page begins with who it is. */
export function ClientActions({ client, theCase }: Props) {
  const user = useCurrentUser();
  const isPhone = useIsPhone();
  const [dialog, setDialog] = useState<ClientDialogName | null>(null);
  const mayWrite = can(user, "clients.write");
  return (
    <>
      {!isPhone && <MainActions client={client} theCase={theCase} onOpen={setDialog} />}
      {mayWrite && !theCase && (
        <Button leftSection={<IconFolderPlus {...icon} />} onClick={() => setDialog("case")}>
          Open a case
        </Button>
      )}
      <MoreMenu client={client} theCase={theCase} isPhone={isPhone} onOpen={setDialog} />
      {dialog && <ClientDialog name={dialog} client={client} theCase={theCase} onClose={() => setDialog(null)} />}
    </>
  );
}

interface OpenProps extends Props {
  onOpen: (dialog: ClientDialogName) => void;
}

function MainActions({ client, theCase, onOpen }: OpenProps) {
  const may = useMainActions(theCase);
  return (
    <>
      {may.edit && (
        <Button
          renderRoot={(props) => <EditLink client={client} {...props} />}
          variant="default"
          leftSection={<IconPencil {...icon} />}
        >
          Edit details
        </Button>
      )}
      {may.write && (
        <Button variant="default" leftSection={<IconMail {...icon} />} onClick={() => onOpen("mail")}>
          Write
        </Button>
      )}
      {may.book && (
        <Button variant="default" leftSection={<IconCalendarPlus {...icon} />} onClick={() => onOpen("meeting")}>
          Book
        </Button>
      )}
    </>
  );
}

/** The same in the menu. */
function MainItems({ client, theCase, onOpen }: OpenProps) {
  const may = useMainActions(theCase);
  return (
    <>
      {may.write && (
        <Menu.Item leftSection={<IconMail {...icon} />} onClick={() => onOpen("mail")}>
          Write
        </Menu.Item>
      )}
      {may.book && (
        <Menu.Item leftSection={<IconCalendarPlus {...icon} />} onClick={() => onOpen("meeting")}>
          Book
        </Menu.Item>
      )}
      {may.edit && (
        <Menu.Item
          renderRoot={(props) => <EditLink client={client} {...props} />}
          leftSection={<IconPencil {...icon} />}
        >
          Edit details
        </Menu.Item>
      )}
    </>
  );
}

function useMainActions(theCase: Case | null) {
  const user = useCurrentUser();
  return {
    edit: can(user, "clients.write"),
    write: can(user, "mail.send"),
    book: can(user, "calendar.manage") && theCase !== null,
  };
}

const EditLink = ({ client, ...props }: { client: Client }) => (
  <Link to="/clients/view/$id" params={{ id: client.id }} search={{ edit: true }} {...props} />
);

function MoreMenu({ client, theCase, isPhone, onOpen }: OpenProps & { isPhone: boolean }) {
  const mayWrite = can(useCurrentUser(), "clients.write");
  const move = useArchive(client);
  const isArchived = client.status === "archived";
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" aria-label="More about this client">
          <IconDots {...icon} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isPhone && <MainItems client={client} theCase={theCase} onOpen={onOpen} />}
        <Menu.Item {...downloadOf(`/export/clients/${client.id}.pdf`)} leftSection={<IconDownload {...icon} />}>
          Record for {client.displayName}, PDF
        </Menu.Item>
        {mayWrite && (
          <>
            <Menu.Item leftSection={<IconSquarePlus {...icon} />} onClick={() => onOpen("task")}>
              Add a task
            </Menu.Item>
            {theCase && (
              <Menu.Item leftSection={<IconFolderPlus {...icon} />} onClick={() => onOpen("case")}>
                Open another case
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={isArchived ? <IconArchiveOff {...icon} /> : <IconArchive {...icon} />}
              onClick={() => void move(isArchived ? "active" : "archived")}
            >
              {isArchived ? "Bring back" : "Archive"}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Archives or brings back, with a way to undo it at once. */
function useArchive(client: Client) {
  const utils = api.useUtils();
  const setStatus = api.clients.setStatus.useMutation({ onSettled: () => utils.clients.invalidate() });
  const move = async (status: "active" | "archived") => {
    try {
      await setStatus.mutateAsync({ ids: [client.id], status });
      const undo = () => void move(status === "archived" ? "active" : "archived");
      notify(`${client.displayName} ${status === "archived" ? "archived" : "brought back"}`, {
        label: "Undo",
        onAct: undo,
      });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return move;
}
