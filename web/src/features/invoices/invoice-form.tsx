import { type Invoice, NOTES_MAX_LENGTH } from "@app/shared/invoices";
import { Stack, Textarea } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useNewRecord } from "../../core/record-editor.tsx";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import {
  emptyInvoice,
  invoiceFields,
  invoiceProblems,
  type InvoiceValues,
  invoiceValues,
  linesOf,
} from "./invoice-record.ts";
import { useMoneyChanged } from "../payments/use-money-changed.ts";
import { LinesField } from "./lines-field.tsx";
import { PayerField } from "./payer-field.tsx";
import type { Aids } from "./use-aids.ts";

interface Props {
  aids: Aids;
  onSaved: (invoice: Invoice) => void;
}

const payerOf = ({ payer }: InvoiceValues) => {
  if (payer === null) throw new Error("the form was sent without a payer");
  return payer;
};

export function NewInvoiceForm({ aids, onSaved }: Props) {
  const changed = useMoneyChanged();
  const create = api.invoices.create.useMutation();
  const { currency, isVatRegistered } = aids.settings;
  const form = useNewRecord<InvoiceValues, Invoice>({
    initialValues: emptyInvoice(isVatRegistered ? "" : "0"),
    validate: (values) => invoiceProblems(values, currency),
    create: (values, id) =>
      create.mutateAsync({
        id,
        caseId: aids.theCase.id,
        payer: payerOf(values),
        lines: linesOf(values.lines, currency),
        notes: values.notes,
      }),
    onCreated(made) {
      void changed();
      notify(`The draft for ${made.payerName} is saved`);
      onSaved(made);
    },
  });
  return (
    <Form form={form} label="Invoice">
      <InvoiceFields form={form} aids={aids} currency={currency} />
    </Form>
  );
}

export function EditInvoiceForm({ invoice, aids, onSaved }: Props & { invoice: Invoice }) {
  const utils = api.useUtils();
  const changed = useMoneyChanged();
  const update = api.invoices.update.useMutation();
  const { currency, id } = invoice;
  const storedOf = (opened: Invoice) => ({ values: invoiceValues(opened), version: opened.version });
  const form = useVersionedForm<InvoiceValues>({
    fields: invoiceFields(currency, (payerKey) => aids.payers.find(({ key }) => key === payerKey)?.name ?? "A contact"),
    stored: storedOf(invoice),
    validate: (values) => invoiceProblems(values, currency),
    read: async () => storedOf(await utils.invoices.get.fetch({ id }, { staleTime: 0 })),
    async send(values, version) {
      const saved = await update.mutateAsync({
        id,
        version,
        payer: payerOf(values),
        lines: linesOf(values.lines, currency),
        notes: values.notes,
      });
      utils.invoices.get.setData({ id }, saved);
      void changed();
      notify(`The draft for ${saved.payerName} is saved`);
      onSaved(saved);
      return storedOf(saved);
    },
  });
  return (
    <VersionedForm form={form} what="invoice" label="Invoice">
      <InvoiceFields form={form} aids={aids} currency={currency} />
    </VersionedForm>
  );
}

interface FieldsProps {
  form: ReturnType<typeof useNewRecord<InvoiceValues, Invoice>> | ReturnType<typeof useVersionedForm<InvoiceValues>>;
  aids: Aids;
  currency: string;
}

function InvoiceFields({ form, aids, currency }: FieldsProps) {
  const { values, errors } = form;
  return (
    <Stack gap="lg">
      <PayerField
        choices={aids.payers}
        value={values.payer}
        error={errors["payer"]}
        onChange={(payer) => form.setFieldValue("payer", payer)}
      />
      <LinesField
        lines={values.lines}
        errors={errors}
        currency={currency}
        hasVat={aids.settings.isVatRegistered}
        prices={aids.prices}
        onChange={(lines) => form.setFieldValue("lines", lines)}
      />
      <NoteField {...form.field("notes")} />
      <FormFoot isSaving={form.isSaving} isSticky>
        Save draft
      </FormFoot>
    </Stack>
  );
}

interface NoteProps {
  value: string;
  error: string | undefined;
  onChange: (payload: unknown) => void;
}

export const NoteField = (props: NoteProps) => (
  <Textarea
    label="Note on the invoice (optional)"
    description="The payer reads it"
    autosize
    minRows={2}
    maxLength={NOTES_MAX_LENGTH}
    {...props}
  />
);
