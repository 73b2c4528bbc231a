import { can } from "@app/shared/access";
import type { Client } from "@app/shared/clients";
import { Anchor, Button, Tabs } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconPencil } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useTitle } from "../../core/title.ts";
import { Chip } from "../../ui/chip.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { ClientEditor } from "./client-editor.tsx";
import { ClientOverviewTab } from "./client-overview-tab.tsx";
import { ClientPanels } from "./client-panels.tsx";
import "./clients.css";

interface Props {
  clientId: string;
  /** The details are being changed; part of the address, so that Back leaves the form. */
  isEditing: boolean;
}

export function ClientPage({ clientId, isEditing }: Props) {
  const [client] = api.clients.get.useSuspenseQuery({ id: clientId });
  const navigate = useNavigate();
  useTitle(client.displayName);
  const leaveEditor = () => void navigate({ to: "/clients/view/$id", params: { id: clientId }, search: {} });
  const breadcrumb = (
    <>
      <Anchor renderRoot={(props) => <Link to="/clients" {...props} />}>Clients</Anchor>
      <span>{client.displayName}</span>
    </>
  );
  return (
    <>
      <PageHead
        title={client.displayName}
        meta={client.status === "archived" ? <Chip>Archived</Chip> : client.knownAs && `known as ${client.knownAs}`}
        breadcrumb={breadcrumb}
        actions={isEditing ? undefined : <ClientActions client={client} />}
      />
      {isEditing ? (
        <ClientEditor client={client} onLeave={leaveEditor} />
      ) : (
        <>
          <ClientPanels client={client} />
          <Tabs defaultValue="overview" keepMounted={false}>
            <Tabs.List>
              <Tabs.Tab value="overview">Overview</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="overview">
              <ClientOverviewTab client={client} />
            </Tabs.Panel>
          </Tabs>
        </>
      )}
    </>
  );
}

function ClientActions({ client }: { client: Client }) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const setStatus = api.clients.setStatus.useMutation({ onSettled: () => utils.clients.invalidate() });
  if (!can(user, "clients.write")) return null;
  const isArchived = client.status === "archived";
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
  return (
    <>
      <Button
        variant="default"
        loading={setStatus.isPending}
        leftSection={isArchived ? <IconArchiveOff size={16} stroke={1.7} /> : <IconArchive size={16} stroke={1.7} />}
        onClick={() => void move(isArchived ? "active" : "archived")}
      >
        {isArchived ? "Bring back" : "Archive"}
      </Button>
      <Button
        renderRoot={(props) => (
          <Link to="/clients/view/$id" params={{ id: client.id }} search={{ edit: true }} {...props} />
        )}
        leftSection={<IconPencil size={16} stroke={1.7} />}
      >
        Edit details
      </Button>
    </>
  );
}
