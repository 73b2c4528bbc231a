import { ITEM_STATES, type ItemState } from "@app/shared/mailing-states";
import type { Mailing, MailingItem } from "@app/shared/mailings";
import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import type { Column } from "../../ui/data-table.tsx";
import { TextLink } from "../../ui/links.tsx";
import { DoubtedBounce } from "../outbox/doubted-bounce.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Section } from "../../ui/section.tsx";
import { ITEM_STATE_NAMES } from "./mailing-words.ts";
import { useMailingSteps } from "./use-mailing.ts";

interface Props {
  mailing: Mailing;
  page: number;
  onPage: (page: number) => void;
}

const POLL_MS = 2000;
const STATES = [
  { value: "", label: "Everybody" },
  ...ITEM_STATES.map((state) => ({
    value: state,
    label: ITEM_STATE_NAMES[state],
  })),
];

/** Everybody whom a mailing was meant for, and what became of each. */
export function MailingItems({ mailing, page, onPage }: Props) {
  const again = useAgain(mailing);
  const columns = useColumns(mailing, again);
  const [state, setState] = useState<ItemState | "">("");
  const list = api.mailings.listItems.useQuery(
    { mailingId: mailing.id, page, ...(state ? { state } : {}) },
    { placeholderData: keepPreviousData, refetchInterval: mailing.state === "sending" ? POLL_MS : false },
  );
  return (
    <Section
      title="Recipients"
      count={list.data?.total || undefined}
      action={
        <NativeSelect
          aria-label="Show"
          size="xs"
          data={STATES}
          value={state}
          onChange={({ currentTarget }) => {
            setState(ITEM_STATES.find((known) => known === currentTarget.value) ?? "");
            onPage(1);
          }}
        />
      }
    >
      <PagedTable
        label="Recipients"
        columns={columns}
        list={list.data}
        page={page}
        words={["person", "people"]}
        onPage={onPage}
        rowKey={({ id }) => id}
        rowName={({ name, address }) => name || address}
        failure={listFailure(list)}
        empty={<p className="quiet-text">No one in this list.</p>}
        phoneRow={(item) => <PhoneRow mailing={mailing} item={item} again={again(item)} />}
      />
    </Section>
  );
}

interface Item extends Pick<Props, "mailing"> {
  item: MailingItem;
}

/** A button for one of whom nobody can tell whether it was sent. */
function useAgain({ id: mailingId }: Mailing) {
  const steps = useMailingSteps(mailingId);
  return ({ id, state }: MailingItem): ReactNode =>
    state === "uncertain" && (
      <Button size="xs" variant="default" disabled={steps.isBusy} onClick={() => void steps.resend(id)}>
        Send again
      </Button>
    );
}

function useColumns(mailing: Mailing, again: (item: MailingItem) => ReactNode): Column<MailingItem>[] {
  const formats = useFormats();
  return [
    { key: "name", header: "Name", width: 200, cell: (item) => <Name item={item} /> },
    { key: "address", header: "Address", width: 240, cell: ({ address }) => address || "None" },
    { key: "state", header: "State", width: 140, cell: (item) => ITEM_STATE_NAMES[item.state] },
    { key: "why", header: "Why", cell: (item) => <Why mailing={mailing} item={item} /> },
    {
      key: "at",
      header: "Sent",
      width: 150,
      isTabular: true,
      cell: (item) => (item.sentAt ? formats.dateTime(item.sentAt) : again(item)),
    },
  ];
}

const PhoneRow = ({ mailing, item, again }: Item & { again: ReactNode }) => (
  <>
    <Name item={item} />
    <div className="quiet-text">
      {ITEM_STATE_NAMES[item.state]}, {item.address || "no address"}
    </div>
    <Why mailing={mailing} item={item} />
    {again}
  </>
);

function Why({ mailing, item: { id, reason, saidToBounce } }: Item) {
  const utils = api.useUtils();
  const settle = api.mailings.settleBounce.useMutation({
    onSettled: () => Promise.all([utils.mailings.invalidate(), utils.suppressions.invalidate()]),
  });
  const decide = (hasBounced: boolean) => settle.mutateAsync({ mailingId: mailing.id, id, hasBounced });
  return (
    <>
      {reason && <div className="mailing-reason">{reason}</div>}
      <DoubtedBounce said={saidToBounce} isBusy={settle.isPending} onDecide={decide} />
    </>
  );
}

const Name = ({ item: { clientId, name, address } }: { item: MailingItem }) =>
  clientId ? (
    <TextLink to="/clients/view/$id" params={{ id: clientId }}>
      {name}
    </TextLink>
  ) : (
    <span>{name || address}</span>
  );
