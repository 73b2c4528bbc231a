import { sizeText } from "@app/shared/files";
import type { MailCheck, MailDraft, MailStart } from "@app/shared/mail-check";
import { Button, Menu } from "@mantine/core";
import { IconBan, IconCalendar, IconFile, IconPaperclip, IconX } from "@tabler/icons-react";
import { useFormats } from "../../core/format.ts";
import { Readers } from "../visibility/readers.tsx";
import { wordsOf } from "../visibility/visibility-words.ts";
import { later } from "../../ui/later.tsx";
import "./compose-attachments.css";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

const FilePicker = later(async () => (await import("./compose-file-picker.tsx")).ComposeFilePicker);

interface Props {
  draft: MailDraft;
  start: MailStart;
  check: MailCheck | null;
  onChange: (part: Partial<MailDraft>) => void;
  /** Whether the client's files stand in front of the message. */
  isPicking: boolean;
  onPicking: (isPicking: boolean) => void;
}

/** What goes with it: files of the client, who may read each, and the calendar entry of a meeting. */
export function ComposeAttachments({ draft, start, check, onChange, isPicking, onPicking }: Props) {
  const files = check?.files.filter(({ id }) => draft.fileIds.includes(id)) ?? [];
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const count = draft.fileIds.length;
  const meeting = start.meetings.find(({ id }) => id === draft.meetingId);
  const remove = (id: string) => onChange({ fileIds: draft.fileIds.filter((one) => one !== id) });
  return (
    <section className="compose-attachments" aria-label="Attachments">
      <div className="compose-attachments-head">
        <h3>Attachments</h3>
        <span className="compose-detail tabular">
          {count === 0 ? "none" : `${count} ${count === 1 ? "file" : "files"}, ${sizeText(bytes)}`}
        </span>
        {start.meetings.length > 0 && !draft.meetingId && (
          <MeetingMenu meetings={start.meetings} onChoose={(meetingId) => onChange({ meetingId })} />
        )}
        <Button size="xs" variant="subtle" leftSection={<IconPaperclip {...icon} />} onClick={() => onPicking(true)}>
          Attach
        </Button>
      </div>
      <ul>
        {files.map((file) => (
          <FileLine key={file.id} file={file} parties={start.parties} onRemove={() => remove(file.id)} />
        ))}
        {meeting && <MeetingLine meeting={meeting} onRemove={() => onChange({ meetingId: null })} />}
      </ul>
      {isPicking && (
        <FilePicker
          draft={draft}
          start={start}
          onClose={() => onPicking(false)}
          onDone={(fileIds) => {
            onPicking(false);
            onChange({ fileIds });
          }}
        />
      )}
    </section>
  );
}

interface FileLineProps {
  file: MailCheck["files"][number];
  parties: MailStart["parties"];
  onRemove: () => void;
}

const FileLine = ({ file: { name, sizeBytes, visibility, mayGo }, parties, onRemove }: FileLineProps) => (
  <li data-refused={!mayGo || undefined}>
    {mayGo ? <IconFile {...icon} /> : <IconBan size={16} stroke={1.7} role="img" aria-label="Cannot go:" />}
    <span className="compose-file-name">{name}</span>
    <span className="compose-file-readers">
      {visibility && (
        <>
          <Readers visibility={visibility} parties={parties} /> {wordsOf(visibility, parties).who}
        </>
      )}
    </span>
    <span className="compose-detail tabular">{sizeText(sizeBytes)}</span>
    <button type="button" className="compose-remove" aria-label={`Take out ${name}`} onClick={onRemove}>
      <IconX size={16} stroke={1.7} aria-hidden />
    </button>
  </li>
);

type MeetingChoice = MailStart["meetings"][number];

function MeetingLine({ meeting, onRemove }: { meeting: MeetingChoice; onRemove: () => void }) {
  const formats = useFormats();
  return (
    <li>
      <IconCalendar {...icon} />
      <span className="compose-file-name">Calendar entry: {meeting.title}</span>
      <span className="compose-file-readers">{formats.dateTime(meeting.startsAt)}</span>
      <button type="button" className="compose-remove" aria-label="Take out the calendar entry" onClick={onRemove}>
        <IconX size={16} stroke={1.7} aria-hidden />
      </button>
    </li>
  );
}

interface MeetingMenuProps {
  meetings: MeetingChoice[];
  onChoose: (id: string) => void;
}

function MeetingMenu({ meetings, onChoose }: MeetingMenuProps) {
  const formats = useFormats();
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="subtle" leftSection={<IconCalendar {...icon} />}>
          Calendar entry
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {meetings.map(({ id, title, startsAt }) => (
          <Menu.Item key={id} onClick={() => onChoose(id)}>
            {title}, {formats.dateTime(startsAt)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
