import type { Price } from "@app/shared/prices";
import { ActionIcon, Menu } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconDots, IconPencil } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { focusHeading } from "../../ui/focus.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** What can be done with a price of the list. */
export function PriceMenu({ price, onEdit }: { price: Price; onEdit: () => void }) {
  const setArchived = useSetArchived(price);
  const { name, isArchived } = price;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`More for ${name}`}>
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
        {!isArchived && (
          <Menu.Item leftSection={<IconPencil {...icon} />} onClick={onEdit}>
            Change
          </Menu.Item>
        )}
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

function useSetArchived({ id, name }: Price) {
  const utils = api.useUtils();
  const { mutateAsync } = api.prices.setArchived.useMutation({ onSettled: () => utils.prices.invalidate() });
  return async function set(isArchived: boolean): Promise<void> {
    try {
      await mutateAsync({ ids: [id], isArchived });
      // The row that held the keyboard goes.
      focusHeading();
      notify(isArchived ? `${name} is archived. Invoices that have it stay as they are.` : `${name} is back`, {
        label: "Undo",
        onAct: () => void set(!isArchived),
      });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
}
