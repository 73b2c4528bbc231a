import type { Case } from "@app/shared/cases";
import { MEETING_TYPE_NAMES, MEETING_TYPES, type MeetingType } from "@app/shared/meeting-states";
import type { Meeting } from "@app/shared/meetings";
import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { codeOf } from "../../core/errors.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { CaseSelect } from "../cases/case-select.tsx";
import { checkWhen, instantsOf, WhenFields, whenOf } from "./when-fields.tsx";

const HOUR_MS = 3_600_000;
const LOCATION_NAMES = { in_person: "In person", video: "Video", phone: "Phone" } as const;
const LOCATIONS = ["in_person", "video", "phone"] as const;
const REPEATS = [
  { value: "0", label: "Once" },
  { value: "1", label: "Every week" },
  { value: "2", label: "Every 2 weeks" },
  { value: "4", label: "Every 4 weeks" },
];

interface Props {
  startsAt: string;
  /** The case that it is booked from; chosen in the dialog where it is left out. */
  theCase?: Case | null;
  /** The parties who come, where it is booked from one of them. */
  partyIds?: readonly string[];
  onClose: () => void;
  onBooked: (meeting: Meeting) => void;
}

/** Books a meeting: with whom, when, where; each who comes is invited alone. */
export function BookMeetingDialog({ startsAt, theCase = null, partyIds = [], onClose, onBooked }: Props) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const people = api.users.colleagues.useQuery();
  const create = api.meetings.create.useMutation();
  const [isTaken, setIsTaken] = useState(false);
  const endsAt = new Date(Date.parse(startsAt) + HOUR_MS).toISOString();
  const form = useServerForm({
    initialValues: {
      when: whenOf(user.timeZone, startsAt, endsAt),
      type: (partyIds.length === 1 ? "miam" : "mediation") as MeetingType,
      caseId: theCase?.id ?? "",
      partyIds: [...partyIds],
      mediatorId: theCase?.mediators[0]?.userId ?? user.userId,
      title: "",
      kind: "in_person" as (typeof LOCATIONS)[number],
      place: "",
      note: "",
      everyWeeks: "0",
      times: 4,
      apartMinutes: 0,
      isProposed: false,
      isInvitationSent: true,
      allowsOverlap: false,
    },
    validate: ({ when }) => checkWhen(when),
    submit: async ({
      when,
      caseId,
      kind,
      place,
      everyWeeks,
      times,
      apartMinutes,
      isProposed,
      mediatorId,
      ...values
    }) => {
      const weeks = Number(everyWeeks);
      const [, ...later] = values.partyIds;
      try {
        const meeting = await create.mutateAsync({
          ...values,
          ...instantsOf(user.timeZone, when),
          caseId: caseId || null,
          clientId: null,
          mediatorIds: [mediatorId],
          location: { kind, place },
          status: isProposed ? "proposed" : "booked",
          arrivals: apartMinutes > 0 ? later.map((partyId) => ({ partyId, minutesBefore: apartMinutes })) : [],
          repeat: weeks > 0 ? { everyWeeks: weeks, times } : null,
        });
        await Promise.all([utils.meetings.invalidate(), utils.history.invalidate(), utils.dashboard.invalidate()]);
        notify("The meeting is booked");
        onBooked(meeting);
      } catch (error) {
        setIsTaken(codeOf(error) === "CONFLICT");
        throw error;
      }
    },
  });
  const { values, setFieldValue } = form;
  const chosen = api.cases.get.useQuery({ id: values.caseId }, { enabled: values.caseId !== "" });
  const parties = chosen.data?.parties ?? theCase?.parties ?? [];
  return (
    <Dialog isOpen onClose={onClose} title="Book a meeting" size="form">
      <Form form={form} label="Meeting">
        <Stack gap="lg">
          {!theCase && (
            <CaseSelect
              value={values.caseId}
              onChange={(caseId) => form.setValues((before) => ({ ...before, caseId, partyIds: [] }))}
            />
          )}
          {parties.length > 0 && (
            <Checkbox.Group
              label="Who comes"
              description="Each gets an invitation of their own, which names nobody else"
              value={values.partyIds}
              error={form.errors["partyIds"]}
              onChange={(ids) => setFieldValue("partyIds", ids)}
            >
              <Group pt="xs">
                {parties.map(({ partyId, name, label }) => (
                  <Checkbox key={partyId} value={partyId} label={`${name} (${label})`} />
                ))}
              </Group>
            </Checkbox.Group>
          )}
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <NativeSelect
              label="Kind"
              data={MEETING_TYPES.map((value) => ({ value, label: MEETING_TYPE_NAMES[value] }))}
              value={values.type}
              onChange={(event) =>
                setFieldValue("type", MEETING_TYPES.find((type) => type === event.currentTarget.value) ?? "other")
              }
            />
            <NativeSelect
              label="Mediator"
              data={(people.data?.items ?? []).map(({ userId, name }) => ({ value: userId, label: name }))}
              error={form.errors["mediatorIds"]}
              value={values.mediatorId}
              onChange={(event) => setFieldValue("mediatorId", event.currentTarget.value)}
            />
          </SimpleGrid>
          <WhenFields value={values.when} errors={form.errors} onChange={(when) => setFieldValue("when", when)} />
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
            <NativeSelect
              label="Where"
              data={LOCATIONS.map((value) => ({ value, label: LOCATION_NAMES[value] }))}
              value={values.kind}
              onChange={(event) =>
                setFieldValue("kind", LOCATIONS.find((kind) => kind === event.currentTarget.value) ?? "in_person")
              }
            />
            <TextInput label="Room, number or link (optional)" {...form.field("place")} />
            <NativeSelect label="Repeat" data={REPEATS} {...form.field("everyWeeks")} />
            {values.everyWeeks !== "0" && (
              <NumberInput
                label="How many times"
                min={2}
                max={60}
                value={values.times}
                onChange={(times) => setFieldValue("times", Number(times) || 2)}
              />
            )}
            {values.partyIds.length > 1 && (
              <NumberInput
                label="Minutes between their arrivals"
                description="The first as booked, the others earlier"
                min={0}
                max={120}
                step={5}
                value={values.apartMinutes}
                onChange={(minutes) => setFieldValue("apartMinutes", Number(minutes) || 0)}
              />
            )}
          </SimpleGrid>
          <TextInput
            label="Title for the practice (optional)"
            description="No party sees it"
            {...form.field("title")}
          />
          <Textarea label="Note for the practice (optional)" autosize minRows={1} {...form.field("note")} />
          <Checkbox
            label="Send invitations"
            description="Who may not be mailed becomes a task for you"
            {...form.field("isInvitationSent", { type: "checkbox" })}
          />
          <Checkbox label="Only proposed, not booked yet" {...form.field("isProposed", { type: "checkbox" })} />
          {isTaken && (
            <Checkbox
              label="Book it although the mediator is busy then"
              {...form.field("allowsOverlap", { type: "checkbox" })}
            />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Go back
            </Button>
            <Button type="submit" loading={form.isSaving}>
              Book meeting
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
