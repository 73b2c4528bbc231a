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
import { ClientDialog, type ClientDialogName } from "./client-dialog.tsx";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  client: Client;
  theCase: Case | null;
}

/** What can be done with a client, from wherever on the page. */
export function ClientActions({ client, theCase }: Props) {
  const user = useCurrentUser();
  const [dialog, setDialog] = useState<ClientDialogName | null>(null);
  const mayWrite = can(user, "clients.write");
  return (
    <>
      {mayWrite && (
        <Button
          renderRoot={(props) => (
            <Link to="/clients/view/$id" params={{ id: client.id }} search={{ edit: true }} {...props} />
          )}
          variant="default"
          leftSection={<IconPencil {...icon} />}
        >
          Edit details
        </Button>
      )}
      {can(user, "mail.send") && (
        <Button variant="default" leftSection={<IconMail {...icon} />} onClick={() => setDialog("mail")}>
          Write
        </Button>
      )}
      {can(user, "calendar.manage") && theCase && (
        <Button variant="default" leftSection={<IconCalendarPlus {...icon} />} onClick={() => setDialog("meeting")}>
          Book
        </Button>
      )}
      {mayWrite && !theCase && (
        <Button leftSection={<IconFolderPlus {...icon} />} onClick={() => setDialog("case")}>
          Open a case
        </Button>
      )}
      <MoreMenu client={client} theCase={theCase} mayWrite={mayWrite} onOpen={setDialog} />
      {dialog && <ClientDialog name={dialog} client={client} theCase={theCase} onClose={() => setDialog(null)} />}
    </>
  );
}

interface MenuProps extends Props {
  mayWrite: boolean;
  onOpen: (dialog: ClientDialogName) => void;
}

function MoreMenu({ client, theCase, mayWrite, onOpen }: MenuProps) {
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
