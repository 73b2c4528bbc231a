import { can } from "@app/shared/access";
import type { InvoiceRow } from "@app/shared/invoices";
import { ActionIcon, Menu } from "@mantine/core";
import {
  IconArrowBackUp,
  IconX,
  IconCoins,
  IconClock,
  IconDots,
  IconFileCheck,
  IconDownload,
  IconLink,
  IconMail,
  IconPencil,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api } from "../../core/api.ts";
import { takeFile } from "../../core/download.ts";
import { useCurrentUser } from "../../core/session.ts";
import { ACTION_NAMES, actionsFor, type InvoiceAction, nextAction } from "./invoice-actions.ts";
import { invoiceNamed } from "./invoice-words.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;
const ICONS = {
  change: <IconPencil {...icon} />,
  issue: <IconFileCheck {...icon} />,
  record: <IconPlus {...icon} />,
  link: <IconLink {...icon} />,
  send: <IconMail {...icon} />,
  use_credit: <IconCoins {...icon} />,
  announce: <IconClock {...icon} />,
  credit: <IconArrowBackUp {...icon} />,
  void: <IconX {...icon} />,
  remove: <IconTrash {...icon} />,
} as const satisfies Record<InvoiceAction, ReactNode>;

/** What this person may do with an invoice: the next step, and all others. */
export function useInvoiceActions(invoice: InvoiceRow, creditMinor: number) {
  const user = useCurrentUser();
  const cards = api.paymentAccounts.get.useQuery();
  const rights = {
    isCardReady: cards.data?.state === "ready",
    mayChange: can(user, "payments.manage"),
    maySend: can(user, "mail.send"),
    creditMinor,
  };
  const actions = actionsFor(invoice, rights);
  const next = nextAction(actions);
  return { next, others: actions.filter((action) => action !== next) };
}

interface Props {
  invoice: InvoiceRow;
  actions: readonly InvoiceAction[];
  onAction: (action: InvoiceAction) => void;
}

/** The invoice as a PDF, and what else can be done with it. */
export function InvoiceMenu({ invoice, actions, onAction }: Props) {
  const isDraft = invoice.state === "draft";
  if (isDraft && actions.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={`More for ${invoiceNamed(invoice)}`}>
          <IconDots {...icon} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {!isDraft && (
          <Menu.Item
            leftSection={<IconDownload {...icon} />}
            onClick={() => void takeFile(`/export/invoices/${invoice.id}.pdf`)}
          >
            Invoice as PDF
          </Menu.Item>
        )}
        {actions.map((action) => (
          <Menu.Item key={action} leftSection={ICONS[action]} onClick={() => onAction(action)}>
            {ACTION_NAMES[action]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
