import { type Case, CORRECTED_DAY_NAMES, CORRECTED_DAYS, LEAVING_STEPS, type Party } from "@app/shared/cases";
import { hasWord } from "@app/shared/has-word";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useToday } from "../../core/today.ts";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { useCaseChanged } from "./use-case-changes.ts";

type Corrected = (typeof CORRECTED_DAYS)[number];

const dayOf = (party: Party | undefined, of: Corrected): string =>
  (party &&
    {
      responded: party.respondedOn,
      intake_done: party.intakeDoneOn,
      agreement_signed: party.agreementSignedOn,
      left: leftOn(party),
    }[of]) ??
  "";

const leftOn = ({ lastStep, status }: Party): string =>
  lastStep?.to === status && LEAVING_STEPS.includes(status) ? lastStep.on : "";

/** The days of this party that can be put right. */
export const correctableDays = (party: Party): readonly Corrected[] =>
  CORRECTED_DAYS.filter((of) => dayOf(party, of) !== "");

interface Props {
  theCase: Case;
  party: Party;
  onClose: () => void;
}

function useCorrection({ theCase, party, onClose }: Props) {
  const changed = useCaseChanged();
  const correct = api.casework.correctDay.useMutation();
  return useOpenedForm<Case, { of: Corrected | ""; on: string; reason: string }>({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { of: "", on: "", reason: "" },
    validate: ({ of, on, reason }): Record<string, string> => ({
      ...(of === "" ? { of: "Choose which day was wrong" } : {}),
      ...(on === "" ? { on: "Enter the right day" } : {}),
      ...(hasWord(reason) ? {} : { reason: "Say what was wrong" }),
    }),
    submit: async ({ of, on, reason }, { id, version }) => {
      if (of === "") return;
      await correct.mutateAsync({ id, version, partyId: party.partyId, of, on, reason });
      await changed();
      notify(`The day of ${party.label} is corrected`);
      onClose();
    },
  });
}

/** Puts right on which day a step was taken; the step itself stays. */
export function CorrectDayDialog(props: Props) {
  const { party, onClose } = props;
  const today = useToday();
  const formats = useFormats();
  const form = useCorrection(props);
  const opened = form.opened.parties.find(({ partyId }) => partyId === party.partyId) ?? party;
  const choices = Object.fromEntries(
    correctableDays(opened).map((of) => [of, `${CORRECTED_DAY_NAMES[of]}: ${formats.calendarDay(dayOf(opened, of))}`]),
  );
  const { onChange, ...which } = form.field("of");
  return (
    <Dialog isOpen onClose={onClose} title={`Correct a day of ${party.name}`} size="form">
      <OpenedForm form={form} what="case" label="Correct a day">
        <Stack gap="lg">
          <p>The step stays, on the right day. The history keeps both days, with your reason.</p>
          <ChoiceField
            label="Which day was wrong?"
            choices={choices}
            isTall
            {...which}
            onChange={(chosen) => onChange(CORRECTED_DAYS.find((of) => of === chosen) ?? "")}
          />
          <TextInput label="The right day" type="date" max={today} maw={200} {...form.field("on")} />
          <TextInput label="What was wrong?" maxLength={200} {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving}>Correct the day</FormFoot>
        </Stack>
      </OpenedForm>
    </Dialog>
  );
}
