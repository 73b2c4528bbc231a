import { LINK_TYPES, LOCATION_KINDS, MEDIATOR_CHOICES, USES_MAX } from "@app/shared/bookings";
import { MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import { Checkbox, MultiSelect, NativeSelect, NumberInput, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import type { useServerForm } from "../../core/form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { CaseSelect } from "../cases/case-select.tsx";
import { ClientSelect } from "../cases/client-select.tsx";
import { type DepositChoices, DepositFields } from "./deposit-fields.tsx";
import type { LinkValues } from "./link-values.ts";
import { QuestionFields } from "./question-fields.tsx";

const LOCATION_NAMES = { in_person: "In person", video: "Video", phone: "Phone" } as const;
const CHOICE_NAMES = {
  balanced: "Whoever has least to do that week",
  visitor: "Whoever books chooses",
} as const;

interface Props {
  choices: DepositChoices;
  form: Pick<
    ReturnType<typeof useServerForm<LinkValues>>,
    "field" | "values" | "setFieldValue" | "errors" | "isSaving"
  >;
  isNew?: boolean;
  /** For whom it is, where that is settled. */
  clientName?: string;
}

export function LinkFields({ form, choices, isNew = false, clientName = "" }: Props) {
  const { values, setFieldValue, errors } = form;
  return (
    <Stack gap="lg">
      <TextInput label="Name" description="For your practice alone" {...form.field("name")} />
      <TextInput
        label="Heading of the page"
        description="Neutral words are best: somebody may look over a shoulder"
        {...form.field("title")}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <NativeSelect
          label="Kind"
          data={LINK_TYPES.map((type) => ({ value: type, label: MEETING_TYPE_NAMES[type] }))}
          {...form.field("type")}
        />
        <NumberInput
          label="Minutes"
          min={15}
          max={480}
          step={5}
          error={errors["minutes"]}
          value={values.minutes}
          onChange={(minutes) => setFieldValue("minutes", Number(minutes))}
        />
        <NativeSelect
          label="Where"
          data={LOCATION_KINDS.map((kind) => ({ value: kind, label: LOCATION_NAMES[kind] }))}
          {...form.field("locationKind")}
        />
        <TextInput label="Room, number or link (optional)" {...form.field("place")} />
      </SimpleGrid>
      <MediatorFields form={form} />
      <QuestionFields
        questions={values.questions}
        errors={errors}
        onChange={(questions) => setFieldValue("questions", questions)}
      />
      <Checkbox
        label="Wait for us to confirm"
        description="The time is kept until you confirm the meeting or cancel it in the calendar"
        {...form.field("needsConfirmation", { type: "checkbox" })}
      />
      <DepositFields form={form} choices={choices} />
      <LimitFields form={form} />
      {isNew && <PersonFields form={form} />}
      {clientName && <span className="quiet-text">A personal link for {clientName}.</span>}
      <FormFoot isSaving={form.isSaving}>{isNew ? "Make the link" : "Save the link"}</FormFoot>
    </Stack>
  );
}

function MediatorFields({ form: { values, setFieldValue, errors, field } }: Pick<Props, "form">) {
  const people = api.users.colleagues.useQuery();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <MultiSelect
        label="Mediators"
        data={(people.data?.items ?? []).map(({ userId, name }) => ({ value: userId, label: name }))}
        value={values.mediatorIds}
        error={errors["mediatorIds"]}
        onChange={(ids) => setFieldValue("mediatorIds", ids)}
      />
      {values.mediatorIds.length > 1 && (
        <NativeSelect
          label="Who takes it"
          data={MEDIATOR_CHOICES.map((choice) => ({ value: choice, label: CHOICE_NAMES[choice] }))}
          {...field("mediatorChoice")}
        />
      )}
    </SimpleGrid>
  );
}

const LimitFields = ({ form: { values, setFieldValue, errors, field } }: Pick<Props, "form">) => (
  <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="lg">
    <NumberInput
      label="Changeable until, in hours"
      description="Before it begins"
      min={0}
      max={336}
      error={errors["noticeHours"]}
      value={values.noticeHours}
      onChange={(hours) => setFieldValue("noticeHours", Number(hours))}
    />
    <TextInput label="Last day (optional)" description="On which it opens" type="date" {...field("expiresOn")} />
    <NumberInput
      label="Uses (optional)"
      description="After which it ends"
      min={1}
      max={USES_MAX}
      error={errors["useLimit"]}
      value={values.useLimit}
      onChange={(limit) => setFieldValue("useLimit", String(limit))}
    />
  </SimpleGrid>
);

/** A personal link: who they are is known, and not asked. */
const PersonFields = ({ form: { values, setFieldValue, errors } }: Pick<Props, "form">) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
    <ClientSelect
      label="Only for this client (optional)"
      value={values.clientId}
      error={errors["clientId"]}
      onChange={(clientId) => setFieldValue("clientId", clientId)}
    />
    {values.clientId !== "" && (
      <CaseSelect
        label="In this case (optional)"
        value={values.caseId}
        error={errors["caseId"]}
        onChange={(caseId) => setFieldValue("caseId", caseId)}
      />
    )}
  </SimpleGrid>
);
