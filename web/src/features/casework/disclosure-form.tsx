import type { Case } from "@app/shared/cases";
import { askedOf, type Ground, whyNothing } from "@app/shared/disclosures";
import { Radio, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import type { useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useToday } from "../../core/today.ts";
import { FormFailure } from "../../ui/form-failure.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { Section } from "../../ui/section.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { DisclosureFields } from "./disclosure-fields.tsx";
import { useCaseChanged } from "./use-case-changes.ts";

interface Values {
  what: string;
  fileIds: string[];
  to: string;
  hasReport: boolean;
  court: string;
  kind: Ground["kind"] | "";
  on: string;
  reference: string;
  duty: string;
  consents: { partyId: string; on: string; how: string }[];
}

function groundOf({ kind, on, reference, duty, consents }: Values): Ground | null {
  switch (kind) {
    case "":
      return null;
    case "order":
      return { kind, on, reference };
    case "law":
      return { kind, on, duty };
    case "consents":
      return { kind, consents };
  }
}

const addressesIn = (to: string): string[] =>
  to
    .split(/[,;]/)
    .map((address) => address.trim())
    .filter(Boolean);

function problemsOf({
  what,
  fileIds,
  to,
  hasReport,
  court,
  kind,
  on,
  reference,
  duty,
  consents,
}: Values): Record<string, string> {
  const nothing = whyNothing({ fileIds, to: addressesIn(to), hasReport, court: court.trim() });
  const ofOrder = kind === "order" && (on === "" || reference.trim() === "");
  const ofLaw = kind === "law" && (on === "" || duty.trim() === "");
  const ofConsents = kind === "consents" && consents.some((each) => each.on === "" || each.how.trim() === "");
  return {
    ...(what.trim() === "" ? { what: "Say what may be told, and to whom" } : {}),
    ...(nothing ? { [nothing.path]: nothing.message } : {}),
    ...(kind === "" ? { kind: "Choose on whose word" } : {}),
    ...(ofOrder ? { ground: "Enter the day of the order, the court and its number" } : {}),
    ...(ofLaw ? { ground: "Enter the day of your decision, and which law or duty asks for it" } : {}),
    ...(ofConsents ? { ground: "Enter when and how each party consented" } : {}),
  };
}

const GROUNDS = [
  { kind: "consents", label: "Everybody who took part consents" },
  { kind: "order", label: "A court orders it" },
  { kind: "law", label: "A law overrides, such as to protect a child" },
] as const satisfies { kind: Ground["kind"]; label: string }[];

/** A new record; on whose word is never chosen for you. */
export function DisclosureForm({ theCase, onClose }: { theCase: Case; onClose: () => void }) {
  const changed = useCaseChanged();
  const record = api.casework.recordDisclosure.useMutation();
  const form = useOpenedForm<Case, Values>({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: {
      what: "",
      fileIds: [],
      to: "",
      hasReport: false,
      court: "",
      kind: "",
      on: "",
      reference: "",
      duty: "",
      consents: askedOf(theCase.parties).map(({ partyId }) => ({ partyId, on: "", how: "" })),
    },
    validate: problemsOf,
    submit: async (values, { id, version }, disclosureId) => {
      const ground = groundOf(values);
      if (!ground) return;
      const { what, fileIds, hasReport, court } = values;
      const to = addressesIn(values.to);
      await record.mutateAsync({ id, version, disclosureId, what, fileIds, to, hasReport, court, ground });
      await changed();
      notify("Recorded on the case");
      onClose();
    },
  });
  return (
    <Section title="Record what may be told" order={3}>
      <OpenedForm form={form} what="case" label="Record what may be told">
        <Stack gap="md" pt="sm">
          <TextInput label="What may be told, and to whom" {...form.field("what")} />
          <DisclosureFields
            caseId={theCase.id}
            values={form.values}
            errors={form.errors}
            onChange={(change) => form.setValues({ ...form.values, ...change })}
          />
          <Radio.Group
            label="On whose word"
            error={form.errors["kind"]}
            value={form.values.kind}
            onChange={(value) => form.setFieldValue("kind", GROUNDS.find(({ kind }) => kind === value)?.kind ?? "")}
          >
            <Stack gap="sm" pt="xs">
              {GROUNDS.map(({ kind, label }) => (
                <Radio key={kind} value={kind} label={label} />
              ))}
            </Stack>
          </Radio.Group>
          {form.values.kind === "order" && <OrderFields form={form} />}
          {form.values.kind === "law" && <LawFields form={form} />}
          {form.values.kind === "consents" && <ConsentsFields form={form} theCase={theCase} />}
          {form.errors["ground"] && <FormFailure>{form.errors["ground"]}</FormFailure>}
          <FormFoot isSaving={form.isSaving}>Record it</FormFoot>
        </Stack>
      </OpenedForm>
    </Section>
  );
}

type DisclosureValues = Pick<ReturnType<typeof useServerForm<Values>>, "values" | "field" | "setFieldValue">;

function OrderFields({ form }: { form: DisclosureValues }) {
  const today = useToday();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <TextInput label="Day of the order" type="date" max={today} {...form.field("on")} />
      <TextInput label="Court and number" {...form.field("reference")} />
    </SimpleGrid>
  );
}

function LawFields({ form }: { form: DisclosureValues }) {
  const today = useToday();
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <TextInput label="Day of your decision" type="date" max={today} {...form.field("on")} />
        <TextInput label="Law or duty" placeholder="A child at risk of serious harm" {...form.field("duty")} />
      </SimpleGrid>
      <p className="quiet-text">
        Everybody who sees this case reads this. A suspicion of proceeds of crime belongs in the safeguarding record,
        never here.
      </p>
    </>
  );
}

function ConsentsFields({ form, theCase }: { form: DisclosureValues; theCase: Case }) {
  const today = useToday();
  const { consents } = form.values;
  const set = (partyId: string, change: Partial<Values["consents"][number]>) =>
    form.setFieldValue(
      "consents",
      consents.map((each) => (each.partyId === partyId ? { ...each, ...change } : each)),
    );
  return (
    <>
      {askedOf(theCase.parties).map(({ partyId, label, name }) => {
        const consent = consents.find((each) => each.partyId === partyId);
        return (
          <SimpleGrid key={partyId} cols={{ base: 1, sm: 2 }} spacing="lg">
            <TextInput
              label={`${name} (${label}) consented on`}
              type="date"
              max={today}
              value={consent?.on ?? ""}
              onChange={(event) => set(partyId, { on: event.currentTarget.value })}
            />
            <TextInput
              label="How"
              placeholder="In writing"
              value={consent?.how ?? ""}
              onChange={(event) => set(partyId, { how: event.currentTarget.value })}
            />
          </SimpleGrid>
        );
      })}
    </>
  );
}
