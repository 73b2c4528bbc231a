import { isShownInline, type StoredFile } from "@app/shared/files";
import { Button, Menu } from "@mantine/core";
import {
  IconDots,
  IconDownload,
  IconEye,
  IconMail,
  IconPencil,
  IconShare,
  IconSignature,
  IconTrash,
} from "@tabler/icons-react";
import { useFileActions } from "./use-file-actions.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

export type FileDialogName = "edit" | "preview" | "release";

interface Props {
  file: StoredFile;
  mayChange: boolean;
  mayRelease: boolean;
  /** Somebody has to agree before it goes to more parties. */
  isConsented: boolean;
  onOpen: (dialog: FileDialogName) => void;
  /** Sends it out to be signed; null where nobody can sign it. */
  onSign: (() => void) | null;
  /** Mails it to the client who is looked at; null where no party may read it. */
  onMail: (() => void) | null;
}

/** What can be done with a file. */
export function FileMenu({
  file: { id, name, mime, consent },
  mayChange,
  mayRelease,
  isConsented,
  onOpen,
  onSign,
  onMail,
}: Props) {
  const actions = useFileActions();
  return (
    <Menu>
      <Menu.Target>
        <Button size="xs" variant="subtle" aria-label={`More about ${name}`}>
          <IconDots {...icon} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {isShownInline(mime) && (
          <Menu.Item leftSection={<IconEye {...icon} />} onClick={() => onOpen("preview")}>
            Look at it
          </Menu.Item>
        )}
        <Menu.Item component="a" href={`/files/${id}`} download leftSection={<IconDownload {...icon} />}>
          Download
        </Menu.Item>
        {onMail && (
          <Menu.Item leftSection={<IconMail {...icon} />} onClick={onMail}>
            Send by mail
          </Menu.Item>
        )}
        {mayChange && (
          <>
            <Menu.Item leftSection={<IconPencil {...icon} />} onClick={() => onOpen("edit")}>
              Rename, tag, fewer readers
            </Menu.Item>
            {mayRelease && (
              <Menu.Item leftSection={<IconShare {...icon} />} onClick={() => onOpen("release")}>
                {isConsented ? "Release with consent" : "Share with parties"}
              </Menu.Item>
            )}
            {onSign && (
              <Menu.Item leftSection={<IconSignature {...icon} />} onClick={onSign}>
                Send for signature
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconTrash {...icon} />}
              onClick={() => void actions.remove([{ id, consent }], name)}
            >
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
