import type { UndoResult } from "@app/shared/imports";
import { Table, Text } from "@mantine/core";
import { useFormats } from "../../core/format.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";

interface Props {
  result: Extract<UndoResult, { outcome: "changed" }> | null;
  isBusy: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** What has to stay, such as what was changed since the import, and whether the rest is taken back. */
export function ChangedDialog({ result, isBusy, onClose, onConfirm }: Props) {
  const formats = useFormats();
  const total = result?.total ?? 0;
  const items = result?.items ?? [];
  return (
    <ConfirmDialog
      isOpen={result !== null}
      onClose={onClose}
      title={total === 1 ? "1 record cannot be undone" : `${formats.number(total)} records cannot be undone`}
      confirmLabel="Keep these, undo the rest"
      onConfirm={onConfirm}
      isBusy={isBusy}
    >
      <Text>Nothing was undone yet. These would be kept as they are now:</Text>
      <Table className="import-changed" aria-label="What would be kept">
        <Table.Tbody>
          {items.map(({ row, name, reason }) => (
            <Table.Tr key={row}>
              <Table.Td className="tabular">Row {row}</Table.Td>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{reason}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {total > items.length && <Text mt={8}>And {formats.number(total - items.length)} more.</Text>}
    </ConfirmDialog>
  );
}
