import { cutText } from "@app/shared/cut-text";
import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { ClientMail, OpenMail } from "@app/shared/inbox";
import { Button, Group } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { useState } from "react";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import type { ComposeStart } from "../compose/compose-start.ts";
import { plainSubject } from "./messages.ts";
import { later } from "../../ui/later.tsx";

const ComposeDialog = later(async () => (await import("../compose/compose-dialog.tsx")).ComposeDialog);

const QUOTED_MAX_LENGTH = 20_000;
const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  clientId: string;
  theCase: Case | null;
  open: OpenMail;
}

/** Answering a mail and passing it on; whom it may go to is checked where it is written. */
export function MailActions({ clientId, theCase, open }: Props) {
  const user = useCurrentUser();
  const formats = useFormats();
  const [start, setStart] = useState<ComposeStart | null>(null);
  if (!can(user, "mail.send")) return null;
  const { mail, text } = open;
  const subject = plainSubject(mail.subject);
  const quoted = `On ${formats.dateTime(mail.date)} ${mail.from.name || mail.from.address} wrote:\n\n${cutText(text, QUOTED_MAX_LENGTH)}`;
  const place = { clientId, caseId: theCase?.id ?? null, quoted };
  return (
    <Group gap="xs" pt="sm">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconArrowBackUp {...icon} />}
        onClick={() => setStart({ ...place, ...answerTo(mail), subject: `Re: ${subject}` })}
      >
        Reply
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconArrowForwardUp {...icon} />}
        onClick={() => setStart({ ...place, subject: `Fwd: ${subject}` })}
      >
        Forward
      </Button>
      {start && <ComposeDialog start={start} onClose={() => setStart(null)} />}
    </Group>
  );
}

/** To whoever wrote it, or got it from here; in the same conversation. */
function answerTo({ from, to, isFromUs, messageId, references }: ClientMail): Partial<ComposeStart> {
  const other = isFromUs ? to[0] : from;
  return {
    ...(other?.address ? { to: other.address } : {}),
    ...(messageId ? { inReplyTo: messageId, references: [...references, messageId].slice(-50) } : {}),
  };
}
