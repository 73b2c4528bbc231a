import { pausedUntilHeld } from "@app/shared/case-sessions";
import type { Child, Party } from "@app/shared/cases";
import { takesParties } from "@app/shared/meeting-states";
import type { Meeting } from "@app/shared/meetings";
import { Checkbox, NativeSelect, NumberInput, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { CaseSelect } from "../cases/case-select.tsx";
import { LocationSelect } from "./location-select.tsx";
import { MeetingTypeSelect } from "./meeting-type-select.tsx";
import { OtherFields } from "./other-fields.tsx";
import { errorAt } from "./room-choices.ts";
import { RoomFields } from "./room-fields.tsx";
import { SafetyFields } from "./safety-fields.tsx";
import { type Booking, type BookingPlace, useBooking } from "./use-booking.ts";
import { WhichChildren } from "./which-children.tsx";
import { WhoComes } from "./who-comes.tsx";
import { WhenFields } from "../../ui/when-fields.tsx";

const REPEATS = [
  { value: "0", label: "Once" },
  { value: "1", label: "Every week" },
  { value: "2", label: "Every 2 weeks" },
  { value: "4", label: "Every 4 weeks" },
];

interface Props extends BookingPlace {
  onClose: () => void;
  onBooked: (meeting: Meeting) => void;
}

/** Books a meeting: with whom, when, where; each who comes is invited alone. */
export function BookMeetingDialog({ onClose, onBooked, ...place }: Props) {
  const booking = useBooking(place, onBooked);
  const { form } = booking;
  const chosen = api.cases.get.useQuery({ id: form.values.caseId }, { enabled: form.values.caseId !== "" });
  const parties = chosen.data?.parties ?? place.theCase?.parties ?? [];
  const coming = parties.filter(({ partyId }) => booking.coming.includes(partyId));
  const theCase = chosen.data ?? place.theCase;
  const paused = theCase ? pausedUntilHeld(theCase, { type: booking.plan.type, partyIds: booking.coming }) : null;
  return (
    <Dialog isOpen onClose={onClose} title="Book a meeting" size="form">
      <Form form={form} label="Meeting">
        <Stack gap="lg">
          <WhoFields
            booking={booking}
            theCase={place.theCase ?? null}
            parties={parties}
            childrenOfCase={chosen.data?.children ?? place.theCase?.children ?? []}
          />
          {paused !== null && <p className="quiet-text">{paused}</p>}
          <WhenFields
            value={form.values.when}
            errors={form.errors}
            onChange={(when) => form.setFieldValue("when", when)}
          />
          <WhereFields booking={booking} />
          {booking.plan.kind === "in_person" && (
            <RoomFields
              value={form.values.rooms}
              coming={coming}
              error={errorAt(form.errors, "rooms")}
              onChange={(rooms) => form.setFieldValue("rooms", rooms)}
            />
          )}
          <OtherFields
            value={form.values.others}
            caseId={form.values.caseId}
            coming={coming}
            errors={form.errors}
            onChange={(others) => form.setFieldValue("others", others)}
          />
          <SafetyFields booking={booking} />
          <TextInput
            label="Title for the practice (optional)"
            description="No party sees it"
            {...form.field("title")}
          />
          <Textarea label="Note for the practice (optional)" autosize minRows={1} {...form.field("note")} />
          <Checkbox
            label="Send invitations"
            description="If we may not email someone, you get a task to tell them"
            {...form.field("isInvitationSent", { type: "checkbox" })}
          />
          <Checkbox label="Only proposed, not booked yet" {...form.field("isProposed", { type: "checkbox" })} />
          <AgainstRules booking={booking} />
          <FormFoot isSaving={form.isSaving}>Book meeting</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

interface FieldsProps {
  booking: Booking;
}

interface WhoProps extends FieldsProps {
  theCase: BookingPlace["theCase"];
  parties: readonly Party[];
  childrenOfCase: readonly Child[];
}

/** Of which case, who comes, what kind of meeting it is and who leads it. */
function WhoFields({ booking: { form, plan, choose }, theCase, parties, childrenOfCase }: WhoProps) {
  const { values, setFieldValue } = form;
  const people = api.users.colleagues.useQuery();
  return (
    <>
      {!theCase && (
        <CaseSelect
          value={values.caseId}
          onChange={(caseId) =>
            form.setValues((before) => ({ ...before, caseId, partyIds: [], childIds: [], others: [] }))
          }
        />
      )}
      {plan.type === "cim" && (
        <WhichChildren
          among={childrenOfCase}
          value={values.childIds}
          error={form.errors["childIds"]}
          onChange={(ids) => setFieldValue("childIds", ids)}
        />
      )}
      {takesParties(plan.type) && (
        <WhoComes
          parties={parties}
          description="Each gets an invitation of their own, which names nobody else"
          value={values.partyIds}
          error={form.errors["partyIds"]}
          onChange={(ids) => setFieldValue("partyIds", ids)}
        />
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <MeetingTypeSelect value={plan.type} caseId={values.caseId} onChange={(type) => choose("type", type)} />
        <NativeSelect
          label="Mediator"
          data={(people.data?.items ?? []).map(({ userId, name }) => ({ value: userId, label: name }))}
          error={form.errors["mediatorIds"]}
          value={values.mediatorId}
          onChange={(event) => setFieldValue("mediatorId", event.currentTarget.value)}
        />
      </SimpleGrid>
    </>
  );
}

/** Where it is, how often, and how far apart those arrive who must not meet at the door. */
function WhereFields({ booking: { form, plan, coming, choose } }: FieldsProps) {
  const { values, setFieldValue } = form;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <LocationSelect value={plan.kind} onChange={(kind) => choose("kind", kind)} />
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
      {coming.length > 1 && (
        <NumberInput
          label="Minutes between their arrivals"
          description="The first as booked, each other earlier"
          min={0}
          max={120}
          step={5}
          value={plan.apartMinutes}
          onChange={(minutes) => choose("apartMinutes", Number(minutes) || 0)}
        />
      )}
    </SimpleGrid>
  );
}

/** What was refused once, and may be booked all the same. */
const AgainstRules = ({ booking: { form, isTaken } }: FieldsProps) => (
  <>
    {(form.values.allowsCrowding || form.errors["allowsCrowding"]) && (
      <Checkbox
        label="Book it although the room has too few seats"
        {...form.field("allowsCrowding", { type: "checkbox" })}
      />
    )}
    {isTaken && (
      <Checkbox
        label="Book it although the mediator is busy then"
        {...form.field("allowsOverlap", { type: "checkbox" })}
      />
    )}
  </>
);
