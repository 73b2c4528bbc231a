import { LEAST_MIAM_MINUTES, MIAM_PLACE_NAMES, MIAM_PLACES, USUAL_MIAM_MINUTES } from "@app/shared/assessments";
import { Checkbox, NativeSelect, NumberInput, SimpleGrid, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { mayConduct } from "@app/shared/conducting";
import { useToday } from "../../core/today.ts";
import { useFirstMeeting } from "./use-first-meeting.ts";
import type { AssessmentForm } from "./use-assessment-form.ts";

/** When, how, how long, and with whom. */
export function MeetingFields({ form }: { form: AssessmentForm }) {
  const today = useToday();
  const people = api.users.colleagues.useQuery();
  const { values, errors, setFieldValue } = form;
  const { place, isMiam } = useFirstMeeting();
  const mediators = (people.data?.items ?? []).filter((colleague) => mayConduct(place, colleague));
  return (
    <>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <TextInput label="Day" type="date" max={today} {...form.field("attendedOn")} />
        <NumberInput
          label="Minutes"
          min={1}
          value={values.minutes}
          error={errors["minutes"]}
          onChange={(minutes) => {
            setFieldValue("minutes", typeof minutes === "number" ? minutes : "");
            setFieldValue("isBriefConfirmed", false);
          }}
        />
        <NativeSelect
          label="How"
          data={[
            { value: "", label: "Choose how it was held" },
            ...MIAM_PLACES.map((value) => ({ value, label: MIAM_PLACE_NAMES[value] })),
          ]}
          value={values.place}
          error={errors["place"]}
          onChange={(event) =>
            setFieldValue("place", MIAM_PLACES.find((known) => known === event.currentTarget.value) ?? "")
          }
        />
        <TextInput label={values.place === "in_person" ? "Where" : "Where (optional)"} {...form.field("where")} />
      </SimpleGrid>
      <UnusualFields form={form} />
      <NativeSelect
        label="Conducted by"
        description={
          !isMiam
            ? "Mediators of the practice"
            : people.data && mediators.length === 0
              ? "Nobody yet: the owner confirms the FMC registration number (URN) of each accredited mediator under Staff and permissions."
              : "Accredited mediators whose FMC registration number (URN) is confirmed"
        }
        data={[
          { value: "", label: "Choose the mediator" },
          ...mediators.map(({ userId, name }) => ({ value: userId, label: name })),
        ]}
        {...form.field("mediatorId")}
      />
      {(values.hoursReason !== "" || errors["hoursReason"] !== undefined) && (
        <TextInput
          label="Why did they hold something in another case at that time?"
          maxLength={300}
          {...form.field("hoursReason")}
        />
      )}
    </>
  );
}

/** Why it was held in another way than a MIAM usually is. */
function UnusualFields({ form }: { form: AssessmentForm }) {
  const { place, minutes, underAgeReason } = form.values;
  const isUnderAge = underAgeReason !== "" || form.errors["underAgeReason"] !== undefined;
  const { isMiam } = useFirstMeeting();
  const isShort = minutes !== "" && minutes < USUAL_MIAM_MINUTES;
  const isBrief = minutes !== "" && minutes < LEAST_MIAM_MINUTES;
  return (
    <>
      {isUnderAge && (
        <TextInput
          label="Who acts for them, or why was it held without?"
          maxLength={300}
          {...form.field("underAgeReason")}
        />
      )}
      {place === "phone" && (
        <TextInput
          label="Why by phone?"
          description={isMiam ? "A MIAM is held face to face or by video where it can be" : undefined}
          maxLength={300}
          {...form.field("phoneReason")}
        />
      )}
      {isShort && (
        <TextInput
          label={`Why was it shorter than ${isBrief ? LEAST_MIAM_MINUTES : USUAL_MIAM_MINUTES} minutes?`}
          maxLength={300}
          {...form.field("shortReason")}
        />
      )}
      {isBrief && (
        <Checkbox
          label="It was one all the same: what it has to cover was covered"
          {...form.field("isBriefConfirmed", { type: "checkbox" })}
        />
      )}
    </>
  );
}
