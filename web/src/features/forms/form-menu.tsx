import type { FormRow } from "@app/shared/forms";
import { ActionIcon, Menu } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconCopy, IconDots, IconInbox, IconShare } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { focusHeading } from "../../ui/focus.ts";
import { parseFormsSearch } from "./forms-search.ts";
import { newAnswersWords } from "./new-answers.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** What can be done with a form of the list. */
export function FormMenu({ form, answers }: { form: FormRow; answers: ReadonlyMap<string, number> | null }) {
  const navigate = useNavigate();
  const { copy, setArchived } = useFormChanges(form);
  const fresh = newAnswersWords(answers?.get(form.id));
  const share = () =>
    void navigate({
      to: "/settings/forms",
      search: (before) => ({ ...parseFormsSearch({ ...before }), share: form.id }),
    });
  const isPublished = form.publishedNumber !== null;
  const isArchived = form.status === "archived";
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`More for ${form.name}`}
          onClick={(event) => event.stopPropagation()}
        >
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {answers && isPublished && (
          <Menu.Item
            leftSection={<IconInbox {...icon} />}
            onClick={() => void navigate({ to: "/settings/forms", search: { answers: form.id } })}
          >
            {fresh ? `Answers (${fresh})` : "Answers"}
          </Menu.Item>
        )}
        {isPublished && !isArchived && (
          <Menu.Item leftSection={<IconShare {...icon} />} onClick={share}>
            Share
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

function useFormChanges({ id: formId, name }: FormRow) {
  const utils = api.useUtils();
  const navigate = useNavigate();
  const [id, renew] = useNewId();
  const copying = api.forms.copy.useMutation();
  const moving = api.forms.setStatus.useMutation({ onSettled: () => utils.forms.invalidate() });
  async function setArchived(isArchived: boolean): Promise<void> {
    try {
      await moving.mutateAsync({ id: formId, isArchived });
      // The row that held the keyboard goes.
      focusHeading();
      const said = isArchived
        ? `${name} is archived. Nobody can start it now; people who have started can still send it.`
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
        const made = await copying.mutateAsync({ id, formId });
        renew();
        await utils.forms.list.invalidate();
        await navigate({ to: "/settings/forms/create/$id", params: { id: made.id } });
      } catch (error) {
        notifyError(messageOf(error));
      }
    },
  };
}
