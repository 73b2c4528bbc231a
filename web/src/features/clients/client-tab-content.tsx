import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import { Button } from "@mantine/core";
import { IconFolderPlus } from "@tabler/icons-react";
import { type ReactNode, Suspense, useState } from "react";
import { Loading } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { OpenCaseDialog } from "../casework/open-case-dialog.tsx";
import type { ClientSearch } from "./client-search.ts";
import type { ClientTab } from "./client-tabs.ts";
import { ClientOverviewTab } from "./client-overview-tab.tsx";
import { later } from "../../ui/later.tsx";

// Each tab is loaded when it is opened first: the overview stays quick.
const CaseTab = later(async () => (await import("../casework/case-tab.tsx")).CaseTab, <Loading />);
const MeetingsTab = later(
  async () => (await import("../meetings/client-meetings-tab.tsx")).ClientMeetingsTab,
  <Loading />,
);
const NotesTab = later(async () => (await import("../notes/client-notes-tab.tsx")).ClientNotesTab, <Loading />);
const FilesTab = later(async () => (await import("../signatures/signed-files-tab.tsx")).SignedFilesTab, <Loading />);
const FormsTab = later(async () => (await import("../submissions/client-forms-tab.tsx")).ClientFormsTab, <Loading />);
const DocumentsTab = later(
  async () => (await import("../signatures/signed-documents-tab.tsx")).SignedDocumentsTab,
  <Loading />,
);
const FinancesTab = later(
  async () => (await import("../finances/client-finances-tab.tsx")).ClientFinancesTab,
  <Loading />,
);
const PaymentsTab = later(
  async () => (await import("../invoices/client-payments-tab.tsx")).ClientPaymentsTab,
  <Loading />,
);
const HistoryTab = later(
  async () => (await import("../timeline/client-history-tab.tsx")).ClientHistoryTab,
  <Loading />,
);
const MessagesTab = later(
  async () => (await import("../inbox/client-messages-tab.tsx")).ClientMessagesTab,
  <Loading />,
);

interface Props {
  tab: ClientTab;
  client: Client;
  cases: readonly Case[];
  theCase: Case | null;
  search: ClientSearch;
  onSearch: (search: ClientSearch) => void;
  onTab: (tab: ClientTab) => void;
}

// The notes wait for what this browser keeps of them.
export function ClientTabContent(props: Props) {
  return <Suspense fallback={<Loading />}>{contentOf(props)}</Suspense>;
}

function contentOf({ tab, client, cases, theCase, search, onSearch, onTab }: Props): ReactNode {
  const page = search.page ?? 1;
  const { page: _page, ...rest } = search;
  const onPage = (next: number) => onSearch(next > 1 ? { ...rest, page: next } : rest);
  switch (tab) {
    case "overview":
      return <ClientOverviewTab client={client} cases={cases} theCase={theCase} onTab={onTab} />;
    case "case":
      return theCase ? <CaseTab theCase={theCase} clientId={client.id} /> : <NoCase client={client} />;
    case "messages":
      return <MessagesTab clientId={client.id} theCase={theCase} />;
    case "history":
      return <HistoryTab clientId={client.id} cases={cases} page={page} onPage={onPage} />;
    case "forms":
      return <FormsTab client={client} cases={cases} theCase={theCase} page={page} onPage={onPage} />;
    case "documents":
      return theCase ? <DocumentsTab theCase={theCase} page={page} onPage={onPage} /> : <NoCase client={client} />;
    case "finances":
      return theCase ? <FinancesTab key={theCase.id} theCase={theCase} /> : <NoCase client={client} />;
    case "payments":
      return theCase ? (
        <PaymentsTab
          key={theCase.id}
          theCase={theCase}
          open={search.open}
          onOpen={(open) => onSearch(open ? { ...search, open } : withoutOpen(search))}
        />
      ) : (
        <NoCase client={client} />
      );
    case "notes":
      return (
        <NotesTab
          key={theCase?.id}
          clientId={client.id}
          theCase={theCase}
          isNew={search.open === "new"}
          onNewDone={() => onSearch(withoutOpen(search))}
        />
      );
    case "meetings":
      return <MeetingsTab clientId={client.id} theCase={theCase} page={page} onPage={onPage} />;
    case "files":
      return <FilesTab clientId={client.id} theCase={theCase} page={page} onPage={onPage} />;
    default:
      return assertNever(tab);
  }
}

const withoutOpen = ({ open: _open, ...rest }: ClientSearch): ClientSearch => rest;

const assertNever = (tab: never): never => {
  throw new Error(`there is no tab ${String(tab)}`);
};

function NoCase({ client }: { client: Client }) {
  const user = useCurrentUser();
  const [isOpening, setIsOpening] = useState(false);
  return (
    <>
      <EmptyState
        icon={<IconFolderPlus size={24} stroke={1.7} />}
        title={`${client.displayName} is in no case yet`}
        actions={can(user, "clients.write") && <Button onClick={() => setIsOpening(true)}>Open a case</Button>}
      >
        A case joins the people who mediate with each other. Each of them has their own way through it, which the other
        never sees.
      </EmptyState>
      {isOpening && (
        <OpenCaseDialog
          client={{ id: client.id, name: client.displayName }}
          onClose={() => setIsOpening(false)}
          onOpened={() => setIsOpening(false)}
        />
      )}
    </>
  );
}
