import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { sizeText } from "@app/shared/files";
import type { ClientMail } from "@app/shared/inbox";
import { Anchor, Button } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";
import { useState } from "react";
import { useCurrentUser } from "../../core/session.ts";
import { FileAttachmentDialog } from "./file-attachment-dialog.tsx";
import { mailAddress, type MailPlace } from "./mail-place.ts";

type Attachment = ClientMail["attachments"][number];
// Every three bytes travel as four signs, and lines end.
const ENCODED_SHARE = 0.73;

interface Props {
  place: MailPlace;
  theCase: Case | null;
  attachments: readonly Attachment[];
}

export function MailAttachments({ place, theCase, attachments }: Props) {
  const user = useCurrentUser();
  const [filing, setFiling] = useState<Attachment | null>(null);
  if (attachments.length === 0) return null;
  return (
    <ul className="rows" aria-label="Attachments">
      {attachments.map((attachment) => (
        <li key={attachment.part}>
          <IconPaperclip size={16} stroke={1.7} aria-hidden />
          <Anchor
            className="message-file"
            href={mailAddress("attachment", { ...place, part: attachment.part })}
            download={attachment.name}
            inherit
          >
            {attachment.name}
          </Anchor>
          <span className="quiet-text tabular">about {sizeText(Math.round(attachment.size * ENCODED_SHARE))}</span>
          {can(user, "documents.manage") && (
            <Button
              size="xs"
              variant="default"
              aria-label={`File with the client: ${attachment.name}`}
              onClick={() => setFiling(attachment)}
            >
              File with the client
            </Button>
          )}
        </li>
      ))}
      {filing && (
        <FileAttachmentDialog place={place} theCase={theCase} attachment={filing} onClose={() => setFiling(null)} />
      )}
    </ul>
  );
}
