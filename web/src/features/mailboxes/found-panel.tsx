import type { FoundServers, MailSignIn, ServerSource } from "@app/shared/mailboxes";
import { Anchor } from "@mantine/core";
import { IconInfoCircle, IconSearch } from "@tabler/icons-react";
import { Panel } from "../../ui/panel.tsx";
import { SignInButton } from "./sign-in-buttons.tsx";

const ICON = { size: 18, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  found: FoundServers | null;
  isLooking: boolean;
  signIns: readonly MailSignIn[];
}

/** What is known of the mailbox's servers, and what one has to do there first. */
export function FoundPanel({ found, isLooking, signIns }: Props) {
  return (
    <div role="status" className="found-servers">
      {isLooking && <p className="quiet-text">Looking for the servers of this address.</p>}
      {!isLooking && found && <Found found={found} signIns={signIns} />}
    </div>
  );
}

function Found({ found, signIns }: { found: FoundServers; signIns: readonly MailSignIn[] }) {
  const { advice, signIn, providerName, servers, source, notAsked } = found;
  if (advice) {
    const canSignIn = signIn !== null && signIns.includes(signIn);
    return (
      <Panel
        icon={<IconInfoCircle {...ICON} />}
        title={`This is a ${providerName} mailbox`}
        action={canSignIn && <SignInButton provider={signIn} />}
      >
        {advice.text}{" "}
        {signIn &&
          !canSignIn &&
          "This installation is not set up for that: ask whoever runs it, or your administrator. "}
        <Anchor href={advice.url} target="_blank" rel="noopener noreferrer" fz="inherit" underline="always">
          {advice.urlLabel}
        </Anchor>
      </Panel>
    );
  }
  if (servers && source) {
    return (
      <p className="quiet-text">
        Servers found: {servers.imap.host} and {servers.smtp.host} ({SOURCES[source]}).
      </p>
    );
  }
  return (
    <Panel icon={<IconSearch {...ICON} />} title="The servers of this address were not found">
      {notAsked || "Ask your email provider for the names of its servers, and enter them under Server settings."}
    </Panel>
  );
}

const SOURCES: Record<ServerSource, string> = {
  known: "this provider is known",
  provider: "the mail provider says so",
  directory: "from Mozilla’s list of mail providers",
  dns: "from the records of the domain",
  guess: "the usual names, and something answers there",
};
