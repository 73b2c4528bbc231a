import { SCREENING_MAX_AGE_DAYS } from "@app/shared/screening-days";
import { SCREENING_COMPANY_NAMES } from "@app/shared/screening-company";
import { NOT_ALONE } from "@app/shared/screening-limits";
import { SCREENING_CHANNEL_NAMES } from "@app/shared/screenings";
import { Checkbox, Stack, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useFormats } from "../../core/format.ts";
import { useToday } from "../../core/today.ts";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Panel } from "../../ui/panel.tsx";
import { type ScreeningForm } from "./use-screening.ts";

interface Props {
  form: ScreeningForm;
  name: string;
  /** Somebody takes part for it. */
  isOrganisation: boolean;
  /** The day of one that was held after this one; null where there is none. */
  laterOn: string | null;
}

/** When and how this person was spoken with. */
export function HeldFields({ form, name, isOrganisation, laterOn }: Props) {
  const today = useToday();
  const formats = useFormats();
  return (
    <Stack gap="md" pt="sm" className="screening-held">
      <TextInput
        label="Day you spoke"
        type="date"
        max={today}
        className="screening-day"
        description={`The screening counts for ${SCREENING_MAX_AGE_DAYS} days from then`}
        {...form.field("heldOn")}
      />
      {laterOn && (
        <Panel tone="safety" icon={<IconAlertTriangle size={18} stroke={1.7} aria-hidden />}>
          {name} was screened later than that, on {formats.calendarDay(laterOn)}. That screening goes on counting; this
          one is kept beside it.
        </Panel>
      )}
      {isOrganisation && (
        <TextInput
          label={`Who takes part for ${name}`}
          description="The person you spoke with: the questions are about them"
          {...form.field("spokenWith")}
        />
      )}
      <ChoiceField label="How you spoke" choices={SCREENING_CHANNEL_NAMES} {...form.field("channel")} />
      <ChoiceField label="Who was with them" choices={SCREENING_COMPANY_NAMES} {...form.field("company")} isTall />
      {form.values.company === "supporter" && <SupporterFields form={form} />}
      {form.values.company === "other" && (
        <Panel tone="safety" icon={<IconAlertTriangle size={18} stroke={1.7} aria-hidden />}>
          {NOT_ALONE}
        </Panel>
      )}
    </Stack>
  );
}

/** Nobody but this person themselves chooses who may hear them. */
function SupporterFields({ form }: { form: ScreeningForm }) {
  const { supporter } = form.values;
  return (
    <>
      <TextInput label="Who that was, and in which role" maxLength={100} {...form.field("supporter.who")} />
      <TextInput
        label="Why it is safe to speak in front of them"
        maxLength={300}
        {...form.field("supporter.whySafe")}
      />
      <Checkbox
        label="They have nothing to do with the other participants"
        checked={supporter.isUnconnected}
        error={form.errors["supporter.isUnconnected"]}
        aria-invalid={form.errors["supporter.isUnconnected"] !== undefined}
        onChange={(event) =>
          form.setFieldValue("supporter", { ...supporter, isUnconnected: event.currentTarget.checked })
        }
      />
    </>
  );
}
