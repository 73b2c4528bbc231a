import type { Suppression } from "@app/shared/mailings";
import { Button, Group, TextInput } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useFormats } from "../../core/format.ts";
import { listFailure } from "../../core/list-failure.ts";
import { makeId } from "../../core/new-id.ts";
import { notify, notifyError } from "../../core/notify.ts";
import type { Column } from "../../ui/data-table.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { Section } from "../../ui/section.tsx";

const REASONS = {
  unsubscribed: "Said so themselves",
  bounced: "Mail came back",
  manual: "Added by the practice",
} as const;

/** Addresses that get no mailings. Letters about their own case still reach them. */
export function SuppressionsSection() {
  const formats = useFormats();
  const utils = api.useUtils();
  const [page, setPage] = useState(1);
  const list = api.suppressions.list.useQuery({ page }, { placeholderData: keepPreviousData });
  const refresh = () => utils.suppressions.list.invalidate();
  const takeOff = useTakeOff(refresh);
  const button = (row: Suppression) => (
    <Button size="xs" variant="default" onClick={() => void takeOff(row)}>
      Allow again
    </Button>
  );
  const columns: Column<Suppression>[] = [
    { key: "address", header: "Address", cell: ({ address }) => address },
    { key: "reason", header: "Why", cell: (row) => <Why {...row} /> },
    { key: "since", header: "Since", width: 140, isTabular: true, cell: ({ createdAt }) => formats.day(createdAt) },
    { key: "act", header: "Change", width: 130, align: "right", cell: button },
  ];
  return (
    <Section title="Gets no mailings" count={list.data?.total || undefined}>
      <p className="quiet-text">
        Every mailing carries a link by which somebody leaves. Letters about their own case still reach them.
      </p>
      <AddAddress onAdded={refresh} />
      <PagedTable
        label="Addresses without mailings"
        columns={columns}
        list={list.data}
        page={page}
        words={["address", "addresses"]}
        onPage={setPage}
        rowKey={({ id }) => id}
        rowName={({ address }) => address}
        failure={listFailure(list)}
        empty={<p className="quiet-text">Nobody so far.</p>}
        phoneRow={(row) => (
          <>
            <div>{row.address}</div>
            <Why {...row} />
            <div className="quiet-text">Since {formats.day(row.createdAt)}</div>
            {button(row)}
          </>
        )}
      />
    </Section>
  );
}

/** Lets an address get mailings again, which can be undone for a moment. */
function useTakeOff(refresh: () => Promise<void>) {
  const remove = api.suppressions.remove.useMutation();
  const add = api.suppressions.add.useMutation();
  return async ({ id, address }: Suppression) => {
    try {
      await remove.mutateAsync({ id });
      const undoId = makeId();
      const undo = () =>
        void add.mutateAsync({ id: undoId, address }).then(refresh, (error: unknown) => notifyError(messageOf(error)));
      notify(`${address} may get mailings again`, { label: "Undo", onAct: undo });
    } catch (error) {
      notifyError(messageOf(error));
    }
    await refresh();
  };
}

const Why = ({ reason, detail }: Suppression) => (
  <>
    <div>{REASONS[reason]}</div>
    {detail && <div className="mailing-reason">{detail}</div>}
  </>
);

function AddAddress({ onAdded }: { onAdded: () => Promise<void> }) {
  const add = api.suppressions.add.useMutation();
  const form = useServerForm({
    initialValues: { address: "" },
    submit: async (values, id) => {
      const { address } = await add.mutateAsync({ id, ...values });
      notify(`${address} gets no mailings`);
      form.reset();
      await onAdded();
    },
  });
  return (
    <Form form={form} label="Stop mailings to an address">
      <Group align="end" gap="xs" pb="md">
        <TextInput label="Stop mailings to" placeholder="name@example.org" maxLength={254} {...form.field("address")} />
        <Button type="submit" variant="default" loading={form.isSaving}>
          Add
        </Button>
      </Group>
    </Form>
  );
}
