import type { TemplateRow } from "@app/shared/document-templates";
import { ActionIcon, Menu } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconCopy, IconCursorText, IconDots } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { focusHeading } from "../../ui/focus.ts";
import { parseDocumentsSearch } from "./documents-search.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** What can be done with a template of the list. */
export function TemplateMenu({ template }: { template: TemplateRow }) {
  const navigate = useNavigate();
  const { copy, setArchived } = useTemplateChanges(template);
  const { isArchived } = template;
  const rename = () =>
    void navigate({
      to: "/settings/documents",
      search: (before) => ({ ...parseDocumentsSearch({ ...before }), rename: template.id }),
    });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`More for ${template.name}`}
          onClick={(event) => event.stopPropagation()}
        >
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {!isArchived && (
          <Menu.Item leftSection={<IconCursorText {...icon} />} onClick={rename}>
            Rename
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopy {...icon} />} onClick={() => void copy()}>
          Copy
        </Menu.Item>
        <Menu.Item
          leftSection={isArchived ? <IconArchiveOff {...icon} /> : <IconArchive {...icon} />}
          onClick={() => void setArchived(!isArchived)}
        >
          {isArchived ? "Bring back" : "Archive"}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useTemplateChanges({ id: templateId, name }: TemplateRow) {
  const utils = api.useUtils();
  const navigate = useNavigate();
  const [id, renew] = useNewId();
  const copying = api.documentTemplates.copy.useMutation();
  const moving = api.documentTemplates.setStatus.useMutation({ onSettled: () => utils.documentTemplates.invalidate() });
  async function setArchived(isArchived: boolean): Promise<void> {
    try {
      await moving.mutateAsync({ id: templateId, isArchived });
      // The row that held the keyboard goes.
      focusHeading();
      const said = isArchived
        ? `${name} is archived. Nothing new is made of it; documents that were stay as they are.`
        : `${name} is back`;
      notify(said, { label: "Undo", onAct: () => void setArchived(!isArchived) });
    } catch (error) {
      notifyError(messageOf(error));
    }
  }
  return {
    setArchived,
    copy: async () => {
      try {
        const made = await copying.mutateAsync({ id, templateId });
        renew();
        await utils.documentTemplates.list.invalidate();
        await navigate({ to: "/settings/documents/edit/$id", params: { id: made.id } });
      } catch (error) {
        notifyError(messageOf(error));
      }
    },
  };
}
