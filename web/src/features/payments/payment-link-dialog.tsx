import { moneyText } from "@app/shared/answer-texts";
import { LINK_DAYS, LINK_DAYS_DEFAULT } from "@app/shared/payments";
import { Button, CopyButton, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import type { PaidInvoice } from "./payment-words.tsx";
import { useMoneyChanged } from "./use-money-changed.ts";

interface Props {
  invoice: PaidInvoice;
  onClose: () => void;
}

/** A link by which whoever has it pays this invoice by card. */
export function PaymentLinkDialog({ invoice, onClose }: Props) {
  const changed = useMoneyChanged();
  const [url, setUrl] = useState("");
  const make = api.payments.checkoutLink.useMutation();
  const { id: invoiceId, number, payerName, dueMinor, currency } = invoice;
  const form = useServerForm({
    initialValues: { days: String(LINK_DAYS_DEFAULT) },
    async submit({ days }) {
      const made = await make.mutateAsync({
        invoiceId,
        days: LINK_DAYS.find((known) => String(known) === days) ?? LINK_DAYS_DEFAULT,
      });
      setUrl(made.url);
      await changed();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Payment link for ${number}`}>
      {url === "" ? (
        <Form form={form} label="Payment link">
          <Stack gap="lg">
            <p>
              By this link {moneyText(dueMinor, currency)} is paid by card, once. Give it to {payerName} alone. It stays
              the same until it is paid or withdrawn.
            </p>
            <NativeSelect
              label="It can be used for"
              data={LINK_DAYS.map((days) => ({ value: String(days), label: `${days} days` }))}
              {...form.field("days")}
            />
            <FormFoot isSaving={form.isSaving}>Make the link</FormFoot>
          </Stack>
        </Form>
      ) : (
        <Stack gap="lg">
          <TextInput
            label="Link"
            description={`For ${payerName} alone`}
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton value={url}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? "Copied" : "Copy the link"}</Button>}
          </CopyButton>
        </Stack>
      )}
    </Dialog>
  );
}
