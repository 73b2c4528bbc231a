import { MIAM_COMPANY_NAMES, OTHER_PEOPLE_MAX_LENGTH } from "@app/shared/assessments";
import { Button, Checkbox, Stack, TextInput } from "@mantine/core";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { OTHER_ROLE_NAMES } from "@app/shared/meeting-others";
import { api } from "../../core/api.ts";
import type { AssessmentForm, Named } from "./use-assessment-form.ts";

interface Props {
  form: AssessmentForm;
  others: readonly Named[];
  /** The meeting of the calendar that it was. */
  meetingId: string | null;
}

/** Whether they came alone and, where they did not, which of the other participants were there. */
export function CompanyFields({ form, others, meetingId }: Props) {
  const { values, errors, setFieldValue } = form;
  const { onChange, ...company } = form.field("company");
  return (
    <>
      <ChoiceField
        label="They attended"
        choices={MIAM_COMPANY_NAMES}
        isTall
        {...company}
        onChange={(choice) => {
          onChange(choice);
          if (choice === "alone") setFieldValue("withPartyIds", []);
        }}
      />
      {values.company === "with" && (
        <Checkbox.Group
          label="Who was there?"
          description="A certificate names none of them"
          value={values.withPartyIds}
          error={errors["withPartyIds"]}
          onChange={(ids) => setFieldValue("withPartyIds", ids)}
        >
          <Stack gap="xs" pt="xs">
            {others.map(({ partyId, name }) => (
              <Checkbox
                key={partyId}
                value={partyId}
                label={name}
                aria-invalid={errors["withPartyIds"] !== undefined}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
      <TextInput
        label="Who else was in the room? (optional)"
        description="Such as an interpreter, a supporter or a litigation friend"
        maxLength={OTHER_PEOPLE_MAX_LENGTH}
        {...form.field("otherPeople")}
      />
      {meetingId !== null && values.otherPeople === "" && (
        <FromCalendar meetingId={meetingId} onTake={(people) => setFieldValue("otherPeople", people)} />
      )}
    </>
  );
}

/** Who is noted there as present beside the parties: taken over by whoever says that it is so. */
function FromCalendar({ meetingId, onTake }: { meetingId: string; onTake: (people: string) => void }) {
  const meeting = api.meetings.get.useQuery({ id: meetingId });
  const people = (meeting.data?.others ?? [])
    .filter(({ attendance }) => attendance === "present" || attendance === "late")
    .map(({ name, role }) => `${name} (${OTHER_ROLE_NAMES[role].toLowerCase()})`)
    .join(", ");
  if (people === "") return null;
  return (
    <Button size="xs" variant="default" onClick={() => onTake(people.slice(0, OTHER_PEOPLE_MAX_LENGTH))}>
      As the calendar notes: {people}
    </Button>
  );
}
