import { moneyText } from "@app/shared/answer-texts";
import { payerKeyOf, payerSharesOf } from "@app/shared/payer-shares";
import { Button, Checkbox, NativeSelect, Stack, Switch } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { Panel } from "../../ui/panel.tsx";
import { useMoneyChanged } from "../payments/use-money-changed.ts";
import { rateText, typedRate } from "../prices/vat-rate.ts";
import { emptyLine } from "./invoice-lines.ts";
import { NoteField } from "./invoice-form.tsx";
import { linesOf } from "./invoice-record.ts";
import { LinesField } from "./lines-field.tsx";
import { AmountShares, PercentShares } from "./share-fields.tsx";
import {
  hasRemainder,
  partsOf,
  sharesOf,
  SPLIT_METHODS,
  splitProblems,
  type SplitValues,
  voucherPart,
} from "./split-values.ts";
import { type Aids, useAids } from "./use-aids.ts";
import "./invoices.css";

interface Props {
  caseId: string;
  onClose: () => void;
}

/** Shares the same costs between several payers: a draft for each, which says nothing of the others. */
export function SplitDialog({ caseId, onClose }: Props) {
  const aids = useAids(caseId);
  return (
    <Dialog isOpen onClose={onClose} title="Split between payers" size="wide">
      <Loaded query={aids} failureTitle="What an invoice is written with could not be read">
        {(data) => <SplitForm aids={data} onClose={onClose} />}
      </Loaded>
    </Dialog>
  );
}

type SplitFormState = ReturnType<typeof useServerForm<SplitValues>>;

function useSplitForm({ theCase, settings, payers }: Aids, onClose: () => void): SplitFormState {
  const changed = useMoneyChanged();
  const split = api.invoices.split.useMutation();
  const { currency, isVatRegistered } = settings;
  return useServerForm<SplitValues>({
    initialValues: {
      lines: [emptyLine(isVatRegistered ? "" : "0")],
      notes: "",
      payers: [],
      method: "",
      shares: {},
      amounts: {},
      remainder: "",
      voucherMinor: 0,
    },
    validate: (values) => splitProblems(values, currency),
    async submit(values, id) {
      const shares = sharesOf(values, payers, currency);
      if (!shares) throw new Error("the form was sent with shares that cannot be read");
      const lines = linesOf(values.lines, currency);
      const isVoucherFirst = values.voucherMinor > 0;
      const sent = { id, caseId: theCase.id, lines, notes: values.notes, shares, isVoucherFirst };
      const { items } = await split.mutateAsync(sent);
      await changed();
      notify(`${items.length} drafts are saved, one for each payer`);
      onClose();
    },
  });
}

function SplitForm({ aids, onClose }: { aids: Aids; onClose: () => void }) {
  const { settings, prices } = aids;
  const { currency, isVatRegistered } = settings;
  const form = useSplitForm(aids, onClose);
  const { values, errors } = form;
  return (
    <Form form={form} label="Split between payers">
      <Stack gap="lg">
        <p>
          Enter what is charged for as a whole. Each payer gets an invoice of their own part, and none of them learns of
          the others.
        </p>
        <LinesField
          lines={values.lines}
          errors={errors}
          currency={currency}
          hasVat={isVatRegistered}
          prices={prices}
          onChange={(lines) => form.setFieldValue("lines", lines)}
        />
        <VoucherField form={form} aids={aids} />
        <Payers form={form} aids={aids} />
        <ChoiceField
          label="How it is shared"
          choices={SPLIT_METHODS}
          value={values.method}
          error={errors["method"]}
          onChange={(method) => form.setFieldValue("method", method)}
        />
        {values.method === "share_bp" && <PercentShares form={form} choices={aids.payers} />}
        {values.method === "custom" && <AmountShares form={form} choices={aids.payers} currency={currency} />}
        {hasRemainder(values, currency) && <Remainder form={form} aids={aids} />}
        <Parts values={values} aids={aids} />
        <NoteField {...form.field("notes")} />
        <FormFoot isSaving={form.isSaving} isSticky>
          Save drafts
        </FormFoot>
      </Stack>
    </Form>
  );
}

/** Offered while something of the family's voucher is left. */
function VoucherField({ form, aids: { theCase, settings } }: { form: SplitFormState; aids: Aids }) {
  const voucher = api.invoices.voucher.useQuery({ caseId: theCase.id });
  const leftMinor = voucher.data?.leftMinor ?? 0;
  if (leftMinor === 0) return null;
  const choose = (isFirst: boolean) =>
    form.setValues((before) => ({
      ...before,
      voucherMinor: isFirst ? leftMinor : 0,
      payers: before.payers.filter((key) => !isFirst || key !== VOUCHER_KEY),
    }));
  return (
    <Switch
      label={`The voucher scheme pays first (${moneyText(leftMinor, settings.currency)} is left for this family)`}
      description="It pays for no MIAM. What it leaves is shared by the others."
      checked={form.values.voucherMinor > 0}
      onChange={(event) => choose(event.currentTarget.checked)}
    />
  );
}

const VOUCHER_KEY = payerKeyOf({ kind: "voucher" });

const nameIn = ({ payers }: Aids, key: string): string => payers.find((choice) => choice.key === key)?.name ?? key;

/** Who pays, and what the case says of it: offered, never chosen for anybody. */
function Payers({ form, aids }: { form: SplitFormState; aids: Aids }) {
  const { values, errors } = form;
  const funded = payerSharesOf(aids.theCase.parties)
    .map(({ payer, shareBp }) => ({ key: payerKeyOf(payer), shareBp }))
    .filter(({ shareBp }) => shareBp > 0);
  const isOffered = funded.length > 1 && funded.every(({ key }) => aids.payers.some((choice) => choice.key === key));
  const take = () =>
    form.setValues((before) => ({
      ...before,
      payers: aids.payers.map(({ key }) => key).filter((key) => funded.some((share) => share.key === key)),
      method: "share_bp",
      shares: Object.fromEntries(funded.map(({ key, shareBp }) => [key, typedRate(shareBp)])),
    }));
  const choose = (chosen: string[]) =>
    form.setFieldValue(
      "payers",
      aids.payers.map(({ key }) => key).filter((key) => chosen.includes(key)),
    );
  return (
    <>
      {isOffered && (
        <div className="split-funding">
          <Panel
            action={
              <Button size="xs" variant="default" onClick={take}>
                Take these shares
              </Button>
            }
          >
            The funding of the case says:{" "}
            {funded.map(({ key, shareBp }) => `${nameIn(aids, key)} ${rateText(shareBp)}`).join(", ")}.
          </Panel>
        </div>
      )}
      <Checkbox.Group label="Who pays" value={values.payers} error={errors["payers"]} onChange={choose}>
        <div className="split-payers">
          {aids.payers.map(({ key, name, label }) => (
            <Checkbox
              key={key}
              disabled={key === VOUCHER_KEY && values.voucherMinor > 0}
              value={key}
              label={label ? `${name} (${label})` : name}
              aria-invalid={errors["payers"] !== undefined}
            />
          ))}
        </div>
      </Checkbox.Group>
    </>
  );
}

const Remainder = ({ form, aids }: { form: SplitFormState; aids: Aids }) => (
  <NativeSelect
    label="What cannot be divided goes to"
    description="A penny or two of a line that is left over"
    data={[
      { value: "", label: "Choose" },
      ...form.values.payers.map((key) => ({ value: key, label: nameIn(aids, key) })),
    ]}
    {...form.field("remainder")}
  />
);

/** What each of them will be asked for. */
function Parts({ values, aids }: { values: SplitValues; aids: Aids }) {
  const { currency } = aids.settings;
  const parts = partsOf(values, aids.payers, currency);
  const byVoucher = voucherPart(values, currency);
  if (!parts) return null;
  return (
    <dl className="invoice-sums" aria-live="polite" aria-label="What each pays">
      {byVoucher && (
        <div>
          <dt>The voucher pays</dt>
          <dd>{moneyText(byVoucher.grossMinor, currency)}</dd>
        </div>
      )}
      {values.payers.map((key, at) => (
        <div key={key}>
          <dt>{nameIn(aids, key)} pays</dt>
          <dd>{moneyText(parts[at]?.grossMinor ?? 0, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}
