import type { ConnectedMailbox } from "@app/shared/mailboxes";
import { IconMailQuestion } from "@tabler/icons-react";
import { useFormats } from "../../core/format.ts";
import { Panel } from "../../ui/panel.tsx";

/** Mails in which a mail program says something that could not be understood. */
export function UnreadMails({ unread: { count, mails } }: Pick<ConnectedMailbox, "unread">) {
  const formats = useFormats();
  if (count === 0) return null;
  return (
    <div className="mailbox-trouble">
      <Panel
        tone="plain"
        icon={<IconMailQuestion size={18} stroke={1.7} aria-hidden />}
        title={count === 1 ? "One message could not be understood" : `${count} messages could not be understood`}
      >
        What it says of an invitation or a returned message was not taken in; everything else was. Read it in your mail
        program. It is tried again after the next update.
        <ul className="mailbox-unread">
          {mails.map(({ from, at }) => (
            <li key={`${from} ${at}`}>
              From {from || "nobody named"}, {formats.dateTime(at)}
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
