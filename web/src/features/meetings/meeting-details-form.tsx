import { can } from "@app/shared/access";
import { ARRANGEMENT_NAMES, type Arrangement } from "@app/shared/meeting-safety";
import { MEETING_TYPE_NAMES, type MeetingType, takesParties } from "@app/shared/meeting-states";
import { type Meeting, MEETING_MEDIATORS_MAX } from "@app/shared/meetings";
import { MultiSelect, NumberInput, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useVersionedForm, VersionedForm } from "../../core/versioned-form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { plainFields } from "../../ui/version-fields.ts";
import { Section } from "../../ui/section.tsx";
import { ArrangementField } from "./arrangement-field.tsx";
import { LocationSelect } from "./location-select.tsx";
import { LOCATION_NAMES } from "./meeting-locations.ts";
import { MeetingTypeSelect } from "./meeting-type-select.tsx";
import { checkOthers, type OtherChoice, otherChoicesOf, othersOf } from "./other-choices.ts";
import { OtherFields } from "./other-fields.tsx";
import { checkRooms, errorAt, type RoomChoice, roomChoicesOf, roomsOf } from "./room-choices.ts";
import { RoomFields } from "./room-fields.tsx";
import { comingTo } from "./use-booking.ts";
import { useChildren } from "./use-children.ts";
import { WhichChildren } from "./which-children.tsx";
import { WhoComes } from "./who-comes.tsx";

interface Values {
  type: MeetingType;
  kind: Meeting["location"]["kind"];
  place: string;
  mediatorIds: string[];
  partyIds: string[];
  childIds: string[];
  /** By how many minutes each party comes earlier than the meeting begins; those with none are left out. */
  minutesBefore: Record<string, number>;
  rooms: RoomChoice[];
  others: OtherChoice[];
  arrangements: Arrangement[];
  againstMeasures: string;
  title: string;
  note: string;
}

const recordOf = ({ version, location, arrivals, ...meeting }: Meeting) => ({
  version,
  values: {
    type: meeting.type,
    ...location,
    mediatorIds: meeting.mediatorIds,
    partyIds: meeting.partyIds,
    childIds: meeting.childIds,
    minutesBefore: Object.fromEntries(arrivals.map(({ partyId, minutesBefore }) => [partyId, minutesBefore])),
    rooms: roomChoicesOf(meeting.rooms),
    others: otherChoicesOf(meeting.others),
    arrangements: meeting.arrangements,
    againstMeasures: meeting.againstMeasures,
    title: meeting.title,
    note: meeting.note,
  } satisfies Values,
});

const FIELDS = plainFields<Values>(
  {
    type: "Kind",
    kind: "Where",
    place: "Room, number or link",
    mediatorIds: "Mediators",
    partyIds: "Who comes",
    childIds: "With which children",
    minutesBefore: "Arrivals",
    rooms: "Rooms",
    others: "Other people",
    arrangements: "Arranged",
    againstMeasures: "Why it goes against measures",
    title: "Title",
    note: "Note",
  },
  {
    type: (type) => MEETING_TYPE_NAMES[type],
    kind: (kind) => LOCATION_NAMES[kind],
    mediatorIds: (ids) => `${ids.length} chosen`,
    partyIds: (ids) => `${ids.length} chosen`,
    childIds: (ids) => `${ids.length} chosen`,
    rooms: (rooms) => `${rooms.length} chosen`,
    others: (others) => `${others.length} named`,
    arrangements: (chosen) => chosen.map((each) => ARRANGEMENT_NAMES[each]).join(", "),
    minutesBefore: (minutes) => Object.values(minutes).join(", "),
  },
);

interface Props {
  meeting: Meeting;
  /** A session was held at it: who came and what it was stay. */
  isHeld: boolean;
  onDone: () => void;
  onBack: () => void;
}

/** What a meeting is about, where it is and who comes; whose own part changes is told where invitations were sent. */
export function MeetingDetailsForm({ meeting, isHeld, onDone, onBack }: Props) {
  const utils = api.useUtils();
  const update = api.meetings.update.useMutation();
  const form = useVersionedForm<Values>({
    fields: FIELDS,
    stored: recordOf(meeting),
    validate: ({ mediatorIds, kind, rooms, others, partyIds }) => ({
      ...(mediatorIds.length > 0 ? {} : { mediatorIds: "Choose a mediator" }),
      ...(kind === "in_person" ? checkRooms(rooms, partyIds) : {}),
      ...checkOthers(others, partyIds),
    }),
    read: async () => recordOf(await utils.meetings.get.fetch({ id: meeting.id }, { staleTime: 0 })),
    async send({ kind, place, rooms, others, minutesBefore, partyIds: chosen, ...values }, version) {
      const partyIds = comingTo(values.type, chosen);
      const saved = await update.mutateAsync({
        ...values,
        partyIds,
        id: meeting.id,
        version,
        location: { kind, place },
        rooms: kind === "in_person" ? roomsOf(rooms, partyIds) : [],
        others: othersOf(others),
        arrivals: partyIds.flatMap((partyId) => {
          const minutes = minutesBefore[partyId] ?? 0;
          return minutes === 0 ? [] : { partyId, minutesBefore: minutes };
        }),
      });
      await Promise.all([utils.meetings.invalidate(), utils.timeline.invalidate()]);
      notify("The meeting is changed");
      onDone();
      return recordOf(saved);
    },
  });
  return (
    <Section title="Change the details" order={3}>
      <VersionedForm form={form} what="meeting" label="Details">
        <Stack gap="md" pt="sm">
          {!isHeld && <PeopleFields form={form} caseId={meeting.caseId} />}
          {!isHeld && <TypeField form={form} caseId={meeting.caseId} />}
          <PlaceFields form={form} />
          <HeldFields form={form} meeting={meeting} />
          <SafetyOfMeeting form={form} />
          <TextInput
            label="Title for the practice (optional)"
            description="No party sees it"
            {...form.field("title")}
          />
          <Textarea label="Note for the practice (optional)" autosize minRows={1} {...form.field("note")} />
          <FormFoot onBack={onBack} isSaving={form.isSaving}>
            Save
          </FormFoot>
        </Stack>
      </VersionedForm>
    </Section>
  );
}

interface FieldsProps {
  form: ReturnType<typeof useVersionedForm<Values>>;
}

/** Who comes, how much earlier than the others, and who leads it. */
function PeopleFields({ form, caseId }: FieldsProps & { caseId: string | null }) {
  const { values, setFieldValue } = form;
  const people = api.users.colleagues.useQuery();
  const parties = useParties(caseId);
  const partyIds = comingTo(values.type, values.partyIds);
  const coming = parties.filter(({ partyId }) => partyIds.includes(partyId));
  return (
    <>
      {values.type === "cim" && <ChildrenOfMeeting form={form} caseId={caseId} />}
      {takesParties(values.type) && (
        <WhoComes
          parties={parties}
          description="Where invitations were sent, whose own part changes gets a new one"
          value={values.partyIds}
          error={form.errors["partyIds"]}
          onChange={(ids) => setFieldValue("partyIds", ids)}
        />
      )}
      {coming.length > 1 && (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
          {coming.map(({ partyId, name }) => (
            <NumberInput
              key={partyId}
              label={`${name} arrives earlier by minutes`}
              min={0}
              max={120}
              step={5}
              value={values.minutesBefore[partyId] ?? 0}
              onChange={(minutes) =>
                setFieldValue("minutesBefore", { ...values.minutesBefore, [partyId]: Number(minutes) || 0 })
              }
            />
          ))}
        </SimpleGrid>
      )}
      <MultiSelect
        label="Mediators"
        data={(people.data?.items ?? []).map(({ userId, name }) => ({ value: userId, label: name }))}
        maxValues={MEETING_MEDIATORS_MAX}
        value={values.mediatorIds}
        error={form.errors["mediatorIds"]}
        onChange={(ids) => setFieldValue("mediatorIds", ids)}
      />
    </>
  );
}

/** In which rooms it is, and who comes beside the parties. */
function HeldFields({ form, meeting }: FieldsProps & { meeting: Meeting }) {
  const { values, errors, setFieldValue } = form;
  const coming = useParties(meeting.caseId).filter(({ partyId }) => values.partyIds.includes(partyId));
  return (
    <>
      {values.kind === "in_person" && (
        <RoomFields
          value={values.rooms}
          booked={meeting.rooms}
          coming={coming}
          error={errorAt(errors, "rooms")}
          onChange={(rooms) => setFieldValue("rooms", rooms)}
        />
      )}
      <OtherFields
        value={values.others}
        caseId={meeting.caseId ?? ""}
        booked={meeting.others}
        coming={coming}
        errors={errors}
        onChange={(others) => setFieldValue("others", others)}
      />
    </>
  );
}

function ChildrenOfMeeting({
  form: { values, errors, setFieldValue },
  caseId,
}: FieldsProps & { caseId: string | null }) {
  return (
    <WhichChildren
      among={useChildren(caseId)}
      value={values.childIds}
      error={errors["childIds"]}
      onChange={(ids) => setFieldValue("childIds", ids)}
    />
  );
}

function useParties(caseId: string | null) {
  const theCase = api.cases.get.useQuery({ id: caseId ?? "" }, { enabled: caseId !== null });
  return theCase.data?.parties ?? [];
}

/** What is arranged for the safety of those who come; why it goes against what was agreed, where it does. */
function SafetyOfMeeting({ form }: FieldsProps) {
  const { values, errors, setFieldValue } = form;
  const user = useCurrentUser();
  if (values.partyIds.length < 2) return null;
  return (
    <>
      <ArrangementField
        value={values.arrangements}
        onChange={(arrangements) => setFieldValue("arrangements", arrangements)}
      />
      {(values.againstMeasures || errors["againstMeasures"]) && can(user, "screening.read") && (
        <Textarea label="Why it goes against what was agreed" autosize minRows={2} {...form.field("againstMeasures")} />
      )}
    </>
  );
}

const TypeField = ({ form: { values, setFieldValue }, caseId }: FieldsProps & { caseId: string | null }) => (
  <MeetingTypeSelect value={values.type} caseId={caseId ?? ""} onChange={(type) => setFieldValue("type", type)} />
);

const PlaceFields = ({ form }: FieldsProps) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
    <LocationSelect value={form.values.kind} onChange={(kind) => form.setFieldValue("kind", kind)} />
    <TextInput label="Room, number or link (optional)" {...form.field("place")} />
  </SimpleGrid>
);
