import type { ClientMailPage } from "@app/shared/inbox";
import { Button } from "@mantine/core";
import { LinkButton } from "../../ui/links.tsx";

interface Props {
  mailbox: Pick<ClientMailPage, "state" | "problem" | "mailbox"> | undefined;
  onAgain: () => void;
}

/** Why the list holds only what was written here; nothing where the mailbox is read. */
export function MailboxNotice({ mailbox, onAgain }: Props) {
  switch (mailbox?.state) {
    case "no_mailbox":
      return (
        <div className="message-note">
          Only what was written here is shown. Connect your mailbox to see what this client writes to you.
          <LinkButton to="/email-settings" size="xs" variant="default">
            Connect your mailbox
          </LinkButton>
        </div>
      );
    case "sends_only":
      return (
        <div className="message-note">
          Only what was written here is shown. {mailbox.mailbox} sends your mail, but it is not read here: look into it
          for what this client answers.
          <LinkButton to="/email-settings" size="xs" variant="default">
            How to have it read
          </LinkButton>
        </div>
      );
    case "no_address":
      return (
        <div className="message-note">
          This client has no email address, so no mail of theirs can be found. Add it under Edit details.
        </div>
      );
    case "failing":
      return (
        <div className="message-note" role="status">
          <span>Your mailbox could not be read, so only what was written here is shown. {mailbox.problem}</span>
          <Button size="xs" variant="default" onClick={onAgain}>
            Try again
          </Button>
        </div>
      );
    default:
      return null;
  }
}
