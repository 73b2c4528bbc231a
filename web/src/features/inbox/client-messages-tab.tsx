import type { Case } from "@app/shared/cases";
import { Button, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconArrowLeft, IconMail } from "@tabler/icons-react";
import { useState } from "react";
import { messageOf } from "../../core/errors.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Section } from "../../ui/section.tsx";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { MailboxNotice } from "./mailbox-notice.tsx";
import type { Thread } from "./messages.ts";
import { ThreadList } from "./thread-list.tsx";
import { ThreadPane } from "./thread-pane.tsx";
import { useMailNews } from "./use-mail-news.ts";
import { useMessages } from "./use-messages.ts";
import "./client-messages-tab.css";

const DELAY_MS = 300;

interface Props {
  clientId: string;
  theCase: Case | null;
}

/** Everything written to a client and received from them, as conversations with a pane to read them in. */
export function ClientMessagesTab({ clientId, theCase }: Props) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), DELAY_MS);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const messages = useMessages(clientId, search);
  useMailNews(messages.mailbox?.state === "ready");
  return (
    <Section
      title="Messages"
      action={
        <TextInput
          aria-label="Search the messages"
          placeholder="Search"
          value={typed}
          maxLength={100}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      }
    >
      <MailboxNotice mailbox={messages.mailbox} onAgain={messages.readAgain} />
      {messages.error && messages.threads.length === 0 ? (
        <ErrorState
          title="The messages could not be read"
          message={messageOf(messages.error)}
          onRetry={messages.readAgain}
        />
      ) : (
        <Conversations {...{ clientId, theCase, messages, chosenId, search }} onChoose={setChosenId} />
      )}
    </Section>
  );
}

interface ConversationsProps extends Props {
  messages: ReturnType<typeof useMessages>;
  chosenId: string | null;
  search: string;
  onChoose: (id: string | null) => void;
}

function Conversations({ clientId, theCase, messages, chosenId, search, onChoose }: ConversationsProps) {
  const isPhone = useIsPhone();
  const { threads, hasOlder, isLoadingOlder, showOlder } = messages;
  const chosen: Thread | undefined = threads.find(({ id }) => id === chosenId) ?? (isPhone ? undefined : threads[0]);
  if (threads.length === 0 && !hasOlder) return <Nothing messages={messages} isSearch={search !== ""} />;
  const back = isPhone && (
    <Button
      size="xs"
      variant="subtle"
      leftSection={<IconArrowLeft size={14} stroke={1.7} aria-hidden />}
      onClick={() => onChoose(null)}
    >
      All messages
    </Button>
  );
  return (
    <div className="messages">
      {!(isPhone && chosen) && (
        <div className="messages-list">
          <ThreadList threads={threads} chosenId={chosen?.id ?? null} onChoose={onChoose} />
          {hasOlder && (
            <Button variant="default" fullWidth loading={isLoadingOlder} onClick={showOlder}>
              Older
            </Button>
          )}
        </div>
      )}
      {chosen && <ThreadPane key={chosen.id} clientId={clientId} theCase={theCase} thread={chosen} back={back} />}
    </div>
  );
}

function Nothing({ messages, isSearch }: { messages: ReturnType<typeof useMessages>; isSearch: boolean }) {
  const { isLoading, mailbox } = messages;
  if (isLoading || !mailbox)
    return (
      <div className="messages-waiting" role="status">
        The messages are being read
      </div>
    );
  const title = mailbox.state === "ready" ? "No messages yet" : "Nothing was written here yet";
  return (
    <EmptyState order={3} icon={<IconMail size={24} stroke={1.7} />} title={isSearch ? "No message says that" : title}>
      {isSearch
        ? "Try fewer words, or another part of a name."
        : "Your messages to this client and their answers are listed here, with invitations, reminders and letters."}
    </EmptyState>
  );
}
