import { type CreatePair, PAIR_TYPES } from "@app/shared/booking-pairs";
import { LOCATION_KINDS } from "@app/shared/bookings";
import { MEETING_TYPE_NAMES } from "@app/shared/meeting-states";
import { Checkbox, NativeSelect, NumberInput, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { CaseSelect } from "../cases/case-select.tsx";

const LOCATION_NAMES = { in_person: "In person", video: "Video", phone: "Phone" } as const;

interface Values extends Omit<CreatePair, "location" | "mediatorIds"> {
  locationKind: CreatePair["location"]["kind"];
  place: string;
  mediatorId: string;
}

/** A link each for two parties of a case, by which they find a time without learning of each other. */
export function PairDialog({ onClose }: { onClose: () => void }) {
  const { userId } = useCurrentUser();
  const utils = api.useUtils();
  const create = api.bookings.createPair.useMutation();
  const form = useServerForm<Values>({
    initialValues: {
      caseId: "",
      partyIds: [],
      type: "mediation",
      title: "Choose times that suit you",
      minutes: 90,
      locationKind: "video",
      place: "",
      mediatorId: userId,
      expiresOn: "",
    },
    validate: ({ caseId, partyIds }) => ({
      ...(caseId === "" ? { caseId: "Choose a case" } : {}),
      ...(caseId !== "" && partyIds.length !== 2 ? { partyIds: "Choose two parties" } : {}),
    }),
    async submit({ locationKind, place, mediatorId, ...values }, id) {
      const location = { kind: locationKind, place };
      await create.mutateAsync({ id, ...values, location, mediatorIds: [mediatorId] });
      await utils.bookings.invalidate();
      notify("The links are made. Send each to its party alone.");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="Links for two parties" size="form">
      <Form form={form} label="Links for two parties">
        <Stack gap="lg">
          <p className="quiet-text">
            Each party chooses times by a link of their own, and never sees what the other chose or whether they
            answered. The first time that suits both is kept, and booked once both have confirmed it.
          </p>
          <CaseSelect
            label="Case"
            value={form.values.caseId}
            error={form.errors["caseId"]}
            onChange={(caseId) => form.setValues((before) => ({ ...before, caseId, partyIds: [] }))}
          />
          <Parties form={form} />
          <TextInput label="Heading of the page" {...form.field("title")} />
          <WhenAndWhere form={form} />
          <FormFoot isSaving={form.isSaving}>Make the links</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

interface PartProps {
  form: ReturnType<typeof useServerForm<Values>>;
}

function WhenAndWhere({ form }: PartProps) {
  const people = api.users.colleagues.useQuery();
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <NativeSelect
        label="Kind"
        data={PAIR_TYPES.map((type) => ({ value: type, label: MEETING_TYPE_NAMES[type] }))}
        {...form.field("type")}
      />
      <NumberInput
        label="Minutes"
        min={15}
        max={480}
        step={5}
        error={form.errors["minutes"]}
        value={form.values.minutes}
        onChange={(minutes) => form.setFieldValue("minutes", Number(minutes))}
      />
      <NativeSelect
        label="Where"
        data={LOCATION_KINDS.map((kind) => ({ value: kind, label: LOCATION_NAMES[kind] }))}
        {...form.field("locationKind")}
      />
      <TextInput label="Room, number or link (optional)" {...form.field("place")} />
      <NativeSelect
        label="Mediator"
        data={(people.data?.items ?? []).map(({ userId: id, name }) => ({ value: id, label: name }))}
        {...form.field("mediatorId")}
      />
      <TextInput label="Last day (optional)" type="date" {...form.field("expiresOn")} />
    </SimpleGrid>
  );
}

function Parties({ form }: PartProps) {
  const { caseId, partyIds } = form.values;
  const theCase = api.cases.get.useQuery({ id: caseId }, { enabled: caseId !== "" });
  if (!theCase.data) return null;
  return (
    <Checkbox.Group
      label="Parties"
      value={partyIds}
      error={form.errors["partyIds"]}
      onChange={(ids) => form.setFieldValue("partyIds", ids)}
    >
      <Stack gap="xs" mt="xs">
        {theCase.data.parties.map(({ partyId, label, name }) => (
          <Checkbox key={partyId} value={partyId} label={`${name} (${label})`} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
