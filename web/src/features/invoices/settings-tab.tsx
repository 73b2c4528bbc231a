import { can } from "@app/shared/access";
import { DAYS_TO_PAY_MAX, invoiceNumber, type InvoiceSettings, NUMBER_MAX } from "@app/shared/invoices";
import { Button, NumberInput, SimpleGrid, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { AmountField } from "../../ui/amount-field.tsx";
import { Facts } from "../../ui/facts.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { Section } from "../../ui/section.tsx";
import {
  SETTINGS_FIELDS,
  settingsOf,
  settingsProblems,
  type SettingsValues,
  settingsValues,
} from "./settings-record.ts";

/** How the practice writes its invoices. */
export function SettingsTab() {
  const mayChange = can(useCurrentUser(), "payments.manage");
  const settings = api.invoices.settings.useQuery();
  return (
    <PageGrid main="text">
      <Loaded query={settings} failureTitle="The invoice settings could not be read">
        {(stored) => (mayChange ? <SettingsForm settings={stored} /> : <SettingsFacts settings={stored} />)}
      </Loaded>
    </PageGrid>
  );
}

const storedOf = (opened: InvoiceSettings) => ({ values: settingsValues(opened), version: opened.version });

function useSettingsForm(settings: InvoiceSettings) {
  const utils = api.useUtils();
  const save = api.invoices.setSettings.useMutation();
  return useVersionedForm<SettingsValues>({
    fields: SETTINGS_FIELDS,
    stored: storedOf(settings),
    validate: settingsProblems,
    read: async () => storedOf(await utils.invoices.settings.fetch(undefined, { staleTime: 0 })),
    async send(values, version) {
      const saved = await save.mutateAsync(settingsOf(values, version));
      utils.invoices.settings.setData(undefined, saved);
      notify("Invoice settings saved");
      return storedOf(saved);
    },
  });
}

type SettingsFormState = ReturnType<typeof useSettingsForm>;

function SettingsForm({ settings }: { settings: InvoiceSettings }) {
  const form = useSettingsForm(settings);
  return (
    <VersionedForm form={form} what="page" label="Invoice settings" className="invoice-settings">
      <Numbers form={form} />
      <Vat form={form} />
      <Paying form={form} />
      <div className="form-foot">
        <Button type="submit" loading={form.isSaving} disabled={!form.newer.isDirty}>
          Save
        </Button>
      </div>
    </VersionedForm>
  );
}

const two = { cols: { base: 1, sm: 2 }, spacing: "lg" } as const;

function Numbers({ form }: { form: SettingsFormState }) {
  const { prefix, nextNumber } = form.values;
  return (
    <Section title="Numbers">
      <Stack gap="md" pt="sm">
        <SimpleGrid {...two}>
          <TextInput
            label="Beginning of the number (optional)"
            description="Up to 4 letters, such as INV"
            autoComplete="off"
            maxLength={4}
            {...form.field("prefix")}
          />
          <NumberInput
            label="Next number"
            description="Can only go up: no number is given twice"
            min={1}
            max={NUMBER_MAX}
            allowDecimal={false}
            error={form.errors["nextNumber"]}
            value={nextNumber ?? ""}
            onChange={(typed) => form.setFieldValue("nextNumber", typed === "" ? null : Number(typed))}
          />
        </SimpleGrid>
        {nextNumber !== null && (
          <p className="invoice-next quiet-text" role="status">
            The next invoice is {invoiceNumber(prefix.trim().toUpperCase(), nextNumber)}. Drafts get their number when
            they are issued, so that none is missing.
          </p>
        )}
      </Stack>
    </Section>
  );
}

/** Who asks for the money. */
function Vat({ form }: { form: SettingsFormState }) {
  return (
    <Section title="The practice on its invoices">
      <Stack gap="md" pt="sm">
        <Textarea
          label={form.values.isVatRegistered ? "Address of the practice" : "Address of the practice (optional)"}
          description="Stands on every invoice"
          autosize
          minRows={3}
          maxLength={300}
          {...form.field("address")}
        />
        <Switch
          label="The practice is registered for VAT"
          {...form.field("isVatRegistered", { type: "checkbox" })}
          error={form.errors["isVatRegistered"]}
        />
        {form.values.isVatRegistered && (
          <TextInput
            label="VAT number"
            description="Stands on every invoice"
            autoComplete="off"
            maxLength={20}
            w={{ base: "100%", sm: 260 }}
            {...form.field("vatNumber")}
          />
        )}
      </Stack>
    </Section>
  );
}

function Paying({ form }: { form: SettingsFormState }) {
  const { region } = useCurrentUser();
  return (
    <Section title="How and when payers pay">
      <Stack gap="md" pt="sm">
        <SimpleGrid {...two}>
          <NumberInput
            label="Days to pay"
            description="From the day of issue; 0 is due at once"
            min={0}
            max={DAYS_TO_PAY_MAX}
            allowDecimal={false}
            error={form.errors["daysToPay"]}
            value={form.values.daysToPay ?? ""}
            onChange={(typed) => form.setFieldValue("daysToPay", typed === "" ? null : Number(typed))}
          />
          <TextInput
            label="Reminders, days overdue (optional)"
            description="Such as 7, 14, 30. Empty: nobody is reminded"
            inputMode="text"
            autoComplete="off"
            {...form.field("reminders")}
          />
        </SimpleGrid>
        <Textarea
          label="Bank details (optional)"
          description="Name, sort code and account number, as they stand on invoices"
          autosize
          minRows={3}
          maxLength={300}
          {...form.field("bankDetails")}
        />
        {region === "england_wales" && (
          <AmountField
            label="Voucher scheme pays at most (optional)"
            description="For a family, with VAT. Empty or 0: the practice does not use the scheme"
            currency="GBP"
            {...form.field("voucherCap")}
          />
        )}
        <TextInput
          label="Last line (optional)"
          description="At the foot of every invoice, such as your registered name and number"
          maxLength={200}
          {...form.field("footer")}
        />
      </Stack>
    </Section>
  );
}

/** For whoever may look at payments and not change them. */
const SettingsFacts = ({ settings }: { settings: InvoiceSettings }) => (
  <Section title="Invoice settings">
    <Facts
      labelWidth={140}
      facts={[
        { label: "Next invoice", value: invoiceNumber(settings.prefix, settings.nextNumber) },
        { label: "VAT", value: settings.isVatRegistered ? settings.vatNumber : "Not registered" },
        { label: "Days to pay", value: settings.daysToPay },
        { label: "Reminders", value: settings.reminderDays.map((day) => `${day} days overdue`).join(", ") || "None" },
        { label: "Address", value: <span className="invoice-lines-kept">{settings.address || "–"}</span> },
        { label: "Bank details", value: <span className="invoice-lines-kept">{settings.bankDetails || "–"}</span> },
        { label: "Last line", value: settings.footer || "–" },
      ]}
    />
  </Section>
);
