import type { MailStart } from "@app/shared/mail-check";
import { Checkbox, Skeleton, TextInput } from "@mantine/core";
import { IconShield } from "@tabler/icons-react";
import { useState } from "react";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { useUnsaved } from "../../ui/unsaved.ts";
import { ComposeAttachments } from "./compose-attachments.tsx";
import { ComposeFoot } from "./compose-foot.tsx";
import { ComposeGuard } from "./compose-guard.tsx";
import { ComposeOutside } from "./compose-outside.tsx";
import { ComposePanel } from "./compose-panel.tsx";
import { RecipientsField } from "./compose-recipients.tsx";
import { begunBefore, type ComposeStart, draftFor } from "./compose-start.ts";
import { TemplateMenu } from "./compose-template-menu.tsx";
import { type Compose, useCompose } from "./use-compose.ts";
import { later } from "../../ui/later.tsx";
import "./compose.css";

const ComposeEditor = later(
  async () => (await import("./compose-editor.tsx")).ComposeEditor,
  <Skeleton h={190} my={8} />,
);

interface Props {
  start: ComposeStart;
  data: MailStart;
  onClose: () => void;
}

export function ComposeForm({ start, data, onClose }: Props) {
  const begun = begunBefore(start, data);
  const compose = useCompose({ initial: begun?.content ?? draftFor(start, data), begun });
  useUnsaved(() => compose.isUnsaved());
  const [isPicking, setIsPicking] = useState(false);
  const close = () => {
    if (compose.isUnsaved()) void compose.save();
    onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={close}
      title={data.caseRef ? `New message, ${data.caseRef}` : `New message to ${data.clientName}`}
      size="wide"
      footer={<ComposeFoot compose={compose} onClose={close} onGone={onClose} />}
    >
      <div className="compose">
        <div className="compose-main">
          <Head compose={compose} data={data} />
          <ComposeEditor
            key={compose.version}
            initial={compose.draft.body}
            label="Message"
            values={data.values}
            onChange={compose.write}
            tools={<TemplateMenu compose={compose} />}
          />
          {compose.isTooLong && (
            <p role="alert" className="compose-too-long">
              This message is too long. Shorten it, or attach a part of it as a file.
            </p>
          )}
          <ComposeAttachments
            draft={compose.draft}
            start={data}
            check={compose.check}
            onChange={compose.change}
            isPicking={isPicking}
            onPicking={setIsPicking}
          />
        </div>
        <ComposePanel check={compose.check} failure={compose.checkFailure} />
      </div>
    </Dialog>
  );
}

/** From whom, to whom, and what it is about. */
function Head({ compose, data }: { compose: Compose; data: MailStart }) {
  const { draft, change, check } = compose;
  const shared = { choices: data.choices, check };
  return (
    <>
      <div className="compose-line">
        <span className="compose-label">From</span>
        <span>
          {data.from} <span className="compose-detail">{data.fromDetail}</span>
        </span>
      </div>
      <RecipientsField label="To" value={draft.to} onChange={(to) => change({ to })} {...shared} />
      <RecipientsField label="Cc" value={draft.cc} onChange={(cc) => change({ cc })} {...shared} />
      <ComposeGuard compose={compose} />
      <ComposeOutside compose={compose} />
      <div className="compose-line">
        <span className="compose-label" aria-hidden>
          Subject
        </span>
        <TextInput
          className="compose-subject"
          aria-label="Subject"
          variant="unstyled"
          maxLength={200}
          value={draft.subject}
          onChange={(event) => change({ subject: event.currentTarget.value })}
        />
        {check?.isNeutral && (
          <Chip tone="safety" icon={<IconShield aria-hidden />}>
            Kept neutral
          </Chip>
        )}
      </div>
      {draft.isInvitation !== undefined && (
        <div className="compose-line">
          <Checkbox
            label="Record it as an invitation"
            checked={draft.isInvitation}
            onChange={(event) => change({ isInvitation: event.currentTarget.checked })}
          />
        </div>
      )}
    </>
  );
}
