import type { UnsentMail } from "@app/shared/mail";
import { Button, CopyButton } from "@mantine/core";
import { useFormats } from "../../core/format.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Facts } from "../../ui/facts.tsx";
import "./unsent-mail-dialog.css";

interface Props {
  mail: UnsentMail;
  onClose: () => void;
}

export function UnsentMailDialog({ mail, onClose }: Props) {
  const formats = useFormats();
  const { to, subject, text, isLinkLeftOut, reason, createdAt } = mail;
  const footer = text !== null && !isLinkLeftOut && (
    <CopyButton value={text}>
      {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy the message"}</Button>}
    </CopyButton>
  );
  return (
    <Dialog isOpen onClose={onClose} title={subject} size="form" footer={footer}>
      <Facts
        facts={[
          { label: "To", value: to },
          { label: "Written", value: formats.dateTime(createdAt) },
          { label: "Not sent", value: reason },
        ]}
      />
      {text === null ? (
        <p className="quiet-text">
          The link in this message has expired, so its text is no longer kept. The person can ask again.
        </p>
      ) : (
        <pre className="unsent-mail-text">{text}</pre>
      )}
    </Dialog>
  );
}
