import { linesOfFinances } from "@app/shared/finance-lines";
import type { Figure, Finances } from "@app/shared/finances";
import { NativeSelect, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { amountText } from "./finance-words.ts";
import { useFinancesChanged } from "./use-finances.ts";

interface Props {
  finances: Finances;
  figure: Figure;
  onClose: () => void;
}

/** Which figure of somebody else is of the same thing. */
export function PairDialog({ finances, figure, onClose }: Props) {
  const changed = useFinancesChanged();
  const pair = api.finances.pair.useMutation();
  const [opened] = useState(finances);
  const { caseId, version, currency, parties } = opened;
  const others = linesOfFinances(opened)
    .filter(({ isPaired, category }) => !isPaired && category === figure.category)
    .flatMap(({ figures }) => figures)
    .filter(({ partyId }) => partyId !== figure.partyId);
  const nameOf = (id: string) => parties.find(({ partyId }) => partyId === id)?.name ?? "A participant";
  const form = useServerForm({
    initialValues: { other: "" },
    validate: ({ other }): Record<string, string> =>
      other === "" ? { other: "Choose the figure of the same thing" } : {},
    submit: async ({ other }) => {
      await changed(await pair.mutateAsync({ caseId, version, figureIds: [figure.id, other], isPaired: true }));
      notify(`${figure.label} stands beside what the other said`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Same thing as ${figure.label}`}>
      <Form form={form} label="Same thing">
        <Stack gap="lg">
          {others.length === 0 && <p>Nobody else has a figure under this heading that stands by itself.</p>}
          <NativeSelect
            label="Figure of the other participant"
            data={[
              { value: "", label: "Choose" },
              ...others.map(({ id, partyId, label, amountMinor }) => ({
                value: id,
                label: `${nameOf(partyId)}: ${label}, ${amountText(amountMinor, currency)}`,
              })),
            ]}
            {...form.field("other")}
          />
          <FormFoot isSaving={form.isSaving}>It is the same</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
