import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { Section } from "../../ui/section.tsx";
import { ConnectForm } from "./connect-form.tsx";
import { ConnectedMailboxSection } from "./connected-mailbox.tsx";
import { SignInButtons } from "./sign-in-buttons.tsx";
import "./mailboxes.css";

/** One's own mailbox: connected, broken, or yet to be connected. */
export function MailboxTab() {
  const mailbox = api.mailboxes.get.useQuery();
  const [isChanging, setIsChanging] = useState(false);
  return (
    <PageGrid main="text" side={<About />}>
      <Loaded query={mailbox} failureTitle="Your mailbox could not be read">
        {({ connected, signIns }) =>
          connected && !isChanging ? (
            <ConnectedMailboxSection mailbox={connected} onChange={() => setIsChanging(true)} />
          ) : (
            <Section title={connected ? "Connect the mailbox again" : "Connect your mailbox"}>
              <SignInButtons signIns={signIns} />
              <ConnectForm
                connected={connected}
                signIns={signIns}
                onDone={() => setIsChanging(false)}
                onCancel={connected ? () => setIsChanging(false) : undefined}
              />
            </Section>
          )
        }
      </Loaded>
    </PageGrid>
  );
}

const About = () => (
  <Section title="What it is for">
    <ul className="mailbox-about">
      <li>Mail to clients comes from your own address, and answers arrive where you read your mail.</li>
      <li>A copy is kept in your Sent folder, as if you had written it in your mail program.</li>
      <li>The password is kept encrypted, is never shown again, and goes to your mail server alone.</li>
      <li>Apart from mail with clients, colleagues can read it only if you let them.</li>
    </ul>
  </Section>
);
