import { CERTIFICATES_COUNT_FROM_NAMES, type Practice } from "@app/shared/practices";
import { MEDIATOR_TYPES, REGIONS } from "@app/shared/regions";
import { Button, Group, NativeSelect, SimpleGrid, Stack, Switch, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { checkSession } from "../../core/session.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { Section } from "../../ui/section.tsx";
import { PRACTICE_FIELDS, type PracticeValues, recordOf, sentOf } from "./practice-record.ts";

const REGION_OPTIONS = Object.entries(REGIONS).map(([value, { label }]) => ({ value, label }));
const MEDIATOR_TYPE_OPTIONS = Object.entries(MEDIATOR_TYPES).map(([value, label]) => ({ value, label }));
const COUNT_FROM_OPTIONS = Object.entries(CERTIFICATES_COUNT_FROM_NAMES).map(([value, label]) => ({ value, label }));
const TIME_ZONES = Intl.supportedValuesOf("timeZone");

export function PracticeForm({ practice }: { practice: Practice }) {
  const utils = api.useUtils();
  const update = api.practices.update.useMutation();
  const { currency } = practice;
  const stored = recordOf(practice);
  const form = useVersionedForm<PracticeValues>({
    fields: PRACTICE_FIELDS,
    stored,
    read: async () => recordOf(await utils.practices.get.fetch(undefined, { staleTime: 0 })),
    async send(values, version) {
      const saved = await update.mutateAsync({ ...sentOf(values), version });
      utils.practices.get.setData(undefined, saved);
      await checkSession({ isFresh: true });
      notify("The practice is saved");
      return recordOf(saved);
    },
  });
  return (
    <VersionedForm form={form} what="practice">
      <Section title="Your practice" action={`Currency: ${currency}`}>
        <PracticeFields form={form} timeZone={practice.timeZone} />
      </Section>
      <Section title="Signing in">
        <Switch
          mt="md"
          label="Everybody needs a second factor"
          description="Whoever has none sets one up before anything else opens"
          {...form.field("isTwoFactorRequired", { type: "checkbox" })}
        />
      </Section>
      <Group justify="flex-end">
        <Button type="submit" loading={form.newer.isSaving} disabled={!form.newer.isDirty}>
          Save
        </Button>
      </Group>
    </VersionedForm>
  );
}

interface FieldsProps {
  form: ReturnType<typeof useVersionedForm<PracticeValues>>;
  /** The one that is stored, which this browser may not know. */
  timeZone: string;
}

function PracticeFields({ form, timeZone }: FieldsProps) {
  const zones = TIME_ZONES.includes(timeZone) ? TIME_ZONES : [timeZone, ...TIME_ZONES];
  const [year] = useState(() => new Date().getFullYear());
  const { caseNumberPrefix } = form.values;
  return (
    <Stack gap="lg" pt="md">
      <TextInput
        label="Practice name"
        description="Clients see this name"
        autoComplete="organization"
        {...form.field("practiceName")}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <NativeSelect
          label="Where do you mediate?"
          description="Sets the currency and legal aid"
          data={REGION_OPTIONS}
          {...form.field("region")}
        />
        <NativeSelect
          label="What do you mediate?"
          description="Sets meeting types and templates"
          data={MEDIATOR_TYPE_OPTIONS}
          {...form.field("mediatorType")}
        />
        <NativeSelect
          label="Time zone"
          description="Every time is shown in it"
          data={zones}
          {...form.field("timeZone")}
        />
        <TextInput
          label="Case numbers start with"
          description={
            caseNumberPrefix ? `Such as ${caseNumberPrefix.toUpperCase()}-${year}-0001` : `Such as ${year}-0001`
          }
          {...form.field("caseNumberPrefix")}
        />
        {form.values.region === "england_wales" && (
          <NativeSelect
            label="MIAM certificates count from"
            description="The four months of the rules run from the meeting"
            data={COUNT_FROM_OPTIONS}
            {...form.field("certificatesCountFrom")}
          />
        )}
      </SimpleGrid>
      <Textarea
        label="Days on which you are closed (optional)"
        description="One on each line, such as 2026-12-25. Nobody can book by a link on these days, except with colleagues who entered hours of their own for that day"
        autosize
        minRows={2}
        {...form.field("holidays")}
      />
    </Stack>
  );
}
