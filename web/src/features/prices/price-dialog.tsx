import {
  type Price,
  PRICE_KIND_NAMES,
  PRICE_KINDS,
  PRICE_NAME_MAX_LENGTH,
  PRICE_UNIT_NAMES,
  PRICE_UNITS,
} from "@app/shared/prices";
import { NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useNewRecord, useRecordEditor } from "../../core/record-editor.tsx";
import { VersionedForm } from "../../core/versioned-form.tsx";
import { AmountField } from "../../ui/amount-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { emptyPrice, PRICE_FIELDS, priceOf, priceProblems, type PriceValues, priceValues } from "./price-record.ts";

/** How the practice charges: in which currency, and whether with VAT. */
export interface Charging {
  currency: string;
  isVatRegistered: boolean;
}

interface Props {
  charging: Charging;
  onClose: () => void;
}

export const NewPriceDialog = ({ charging, onClose }: Props) => (
  <Dialog isOpen onClose={onClose} title="New price" size="form">
    <NewForm charging={charging} onClose={onClose} />
  </Dialog>
);

export function PriceDialog({ id, charging, onClose }: Props & { id: string }) {
  const price = api.prices.get.useQuery({ id });
  return (
    <Dialog isOpen onClose={onClose} title={price.data ? `Price ${price.data.code}` : "Price"} size="form">
      <Loaded query={price} failureTitle="The price could not be read">
        {(stored) => <EditForm price={stored} charging={charging} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

/** Tells the page of what was saved, and closes. */
function useSaved(onClose: () => void) {
  const utils = api.useUtils();
  return ({ id, name }: Price, price?: Price) => {
    if (price) utils.prices.get.setData({ id }, price);
    void utils.prices.invalidate();
    notify(`${name} is saved`);
    onClose();
  };
}

function NewForm({ charging, onClose }: Props) {
  const saved = useSaved(onClose);
  const create = api.prices.create.useMutation();
  const { currency, isVatRegistered } = charging;
  const form = useNewRecord<PriceValues, Price>({
    initialValues: emptyPrice(isVatRegistered ? "" : "0"),
    validate: (values) => priceProblems(values, currency),
    create: (values, id) => create.mutateAsync({ id, price: priceOf(values, currency) }),
    onCreated: (made) => saved(made),
  });
  return (
    <Form form={form} label="Price">
      <PriceFields form={form} charging={charging} />
    </Form>
  );
}

function EditForm({ price, charging, onClose }: Props & { price: Price }) {
  const utils = api.useUtils();
  const saved = useSaved(onClose);
  const update = api.prices.update.useMutation();
  const { currency } = charging;
  const form = useRecordEditor<PriceValues, Price>({
    record: price,
    fields: PRICE_FIELDS,
    valuesOf: priceValues,
    validate: (values) => priceProblems(values, currency),
    read: () => utils.prices.get.fetch({ id: price.id }, { staleTime: 0 }),
    save: (values, version) => update.mutateAsync({ id: price.id, version, price: priceOf(values, currency) }),
    onSaved: (stored) => saved(stored, stored),
  });
  return (
    <VersionedForm form={form} what="price" label="Price">
      <PriceFields form={form} charging={charging} />
    </VersionedForm>
  );
}

interface FieldsProps {
  form: ReturnType<typeof useNewRecord<PriceValues, Price>> | ReturnType<typeof useRecordEditor<PriceValues, Price>>;
  charging: Charging;
}

const choicesOf = <Choice extends string>(choices: readonly Choice[], names: Record<Choice, string>) => [
  { value: "", label: "Choose" },
  ...choices.map((value) => ({ value, label: names[value] })),
];

/** The keys are those of the server's schema too, so that what it refuses stands at its field. */
function PriceFields({ form, charging: { currency, isVatRegistered } }: FieldsProps) {
  const two = { cols: { base: 1, sm: 2 }, spacing: "lg" } as const;
  return (
    <Stack gap="lg">
      <SimpleGrid {...two}>
        <TextInput
          label="Code"
          description="By which you find it: letters, digits and hyphens"
          placeholder="MIAM"
          autoComplete="off"
          maxLength={12}
          {...form.field("code")}
          error={form.errors["code"] ?? form.errors["price.code"]}
        />
        <TextInput
          label="Name"
          description="As it stands on invoices"
          placeholder="Assessment meeting (MIAM)"
          maxLength={PRICE_NAME_MAX_LENGTH}
          {...form.field("name")}
        />
      </SimpleGrid>
      <SimpleGrid {...two}>
        <NativeSelect label="Kind" data={choicesOf(PRICE_KINDS, PRICE_KIND_NAMES)} {...form.field("kind")} />
        <NativeSelect label="Charged" data={choicesOf(PRICE_UNITS, PRICE_UNIT_NAMES)} {...form.field("per")} />
      </SimpleGrid>
      <SimpleGrid {...two}>
        <AmountField
          label={isVatRegistered ? "Price without VAT" : "Price"}
          currency={currency}
          {...form.field("amount")}
        />
        {isVatRegistered && (
          <TextInput
            label="VAT, %"
            description="0 for what is exempt"
            inputMode="decimal"
            autoComplete="off"
            {...form.field("vatRate")}
          />
        )}
      </SimpleGrid>
      <SimpleGrid {...two}>
        <TextInput
          label="From (optional)"
          description="The first day on which it can be put on an invoice"
          type="date"
          {...form.field("validFrom")}
        />
        <TextInput
          label="Until (optional)"
          description="The last day on which it can be put on an invoice"
          type="date"
          {...form.field("validTo")}
        />
      </SimpleGrid>
      <FormFoot isSaving={form.isSaving}>Save</FormFoot>
    </Stack>
  );
}
