import type { Finances } from "@app/shared/finances";
import { inWords } from "@app/shared/in-words";
import { Checkbox, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { type Consent, ConsentFields, noConsents, whyNotConsented } from "./consent-fields.tsx";
import { useFinancesChanged } from "./use-finances.ts";

interface Values {
  areAsHandedOver: boolean;
  consents: Consent[];
}

/** Each is shown what the others disclosed, once whoever records it heard that each consents. */
export function ExchangeDialog({ finances, onClose }: { finances: Finances; onClose: () => void }) {
  const changed = useFinancesChanged();
  const exchange = api.finances.exchange.useMutation();
  // What was consented to by older figures is refused.
  const [opened] = useState(finances);
  const { caseId, version, parties, figures } = opened;
  const form = useServerForm<Values>({
    initialValues: { areAsHandedOver: false, consents: noConsents(parties) },
    validate: whyNotConsented,
    submit: async ({ consents, areAsHandedOver }) => {
      await changed(await exchange.mutateAsync({ caseId, version, consents, areAsHandedOver }));
      notify("The disclosures are exchanged");
      onClose();
    },
  });
  const unfinished = parties.filter(({ completeOn }) => completeOn === "");
  if (unfinished.length > 0)
    return (
      <Dialog isOpen onClose={onClose} title="Exchange disclosures" size="form">
        <p>
          The disclosure of {inWords(unfinished.map(({ name, label }) => `${name} (${label})`))} is not complete. Record
          under each name when they said that this is everything. Then it can be exchanged.
        </p>
      </Dialog>
    );
  const count = figures.filter(({ isRemoved }) => !isRemoved).length;
  return (
    <Dialog isOpen onClose={onClose} title="Exchange disclosures" size="form">
      <Form form={form} label="Exchange disclosures">
        <Stack gap="lg">
          <p>
            From then on each of them may be shown all {count} figures as they stand, with where each is known from, and
            documents for them say them. Nothing is sent by this. What changes later waits for another exchange.
          </p>
          <ConsentFields parties={parties} form={form} />
          <Checkbox
            label="The figures were typed in later, as they were handed over"
            description="Tick this where they exchanged their papers and consented on an earlier day. Documents then give the day of the last consent."
            checked={form.values.areAsHandedOver}
            onChange={({ currentTarget }) => form.setFieldValue("areAsHandedOver", currentTarget.checked)}
          />
          <FormFoot isSaving={form.isSaving}>Exchange them</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
