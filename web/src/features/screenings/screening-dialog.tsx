import type { Party } from "@app/shared/cases";
import {
  type CompleteScreening,
  completeScreeningSchema,
  MEASURE_NAMES,
  MEASURES,
  RISKS,
  SCREENING_QUESTIONS,
  SUITABILITIES,
} from "@app/shared/screenings";
import { Checkbox, Radio, Stack, Textarea } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { validateWith } from "../../core/validate.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";

const RISK_WORDS = { low: "Low", medium: "Medium", high: "High: makes a task", stop: "Stop: mediation is not safe" };
const SUITABLE_WORDS = { yes: "Suitable", yes_with_measures: "Suitable, with measures", no: "Not suitable" };

interface Props {
  caseId: string;
  party: Pick<Party, "partyId" | "name">;
  onClose: () => void;
}

/** The screening of one party, alone: what they said, the risk, and what follows. */
export function ScreeningDialog(props: Props) {
  const { party, onClose } = props;
  const form = useScreening(props);
  const { values, errors, setFieldValue } = form;
  return (
    <Dialog isOpen onClose={onClose} title={`Screening of ${party.name}`} size="form">
      <Form form={form} label="Screening">
        <Stack gap="lg">
          <p className="quiet-text">
            Speak with {party.name} alone. What is written here is encrypted, and only those who may read screenings see
            it. No party ever does.
          </p>
          <AnswerFields form={form} />
          <ChoiceField
            label="Risk"
            choices={RISKS}
            words={RISK_WORDS}
            value={values.risk}
            error={errors["risk"]}
            onChange={(risk) => setFieldValue("risk", risk)}
          />
          <ChoiceField
            label="Mediation is"
            choices={SUITABILITIES}
            words={SUITABLE_WORDS}
            value={values.suitable}
            error={errors["suitable"]}
            onChange={(suitable) => setFieldValue("suitable", suitable)}
          />
          <MeasuresField form={form} />
          <Textarea
            label={values.suitable === "yes" ? "Reasons (optional)" : "Reasons"}
            autosize
            minRows={2}
            {...form.field("reasons")}
          />
          <FormFoot isSaving={form.isSaving}>Complete the screening</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

/** Risk and suitability are chosen by whoever screens: until then they are empty, which the schema refuses. */
interface Values extends Omit<CompleteScreening, "risk" | "suitable"> {
  risk: CompleteScreening["risk"] | "";
  suitable: CompleteScreening["suitable"] | "";
}

function useScreening({ caseId, party, onClose }: Props) {
  const utils = api.useUtils();
  const complete = api.screenings.complete.useMutation();
  return useServerForm<Values>({
    initialValues: {
      caseId,
      partyId: party.partyId,
      answers: { afraid: "", control: "", violence: "", orders: "", children: "", speaking: "", measures: "" },
      risk: "",
      measures: [],
      suitable: "",
      reasons: "",
      signposted: [],
      referral: null,
    },
    validate: validateWith(completeScreeningSchema),
    submit: async ({ risk, suitable, ...values }, id) => {
      if (risk === "" || suitable === "") return;
      await complete.mutateAsync({ id, risk, suitable, ...values });
      await Promise.all([
        utils.screenings.invalidate(),
        utils.casework.steps.invalidate(),
        utils.tasks.invalidate(),
        utils.timeline.invalidate(),
      ]);
      notify(`The screening of ${party.name} is kept`);
      onClose();
    },
  });
}

type ScreeningForm = ReturnType<typeof useScreening>;

function AnswerFields({ form: { values, errors, setFieldValue } }: { form: ScreeningForm }) {
  return SCREENING_QUESTIONS.map(({ id, text }) => (
    <Textarea
      key={id}
      label={text}
      autosize
      minRows={1}
      value={values.answers[id]}
      error={errors[`answers.${id}`]}
      onChange={(event) => setFieldValue("answers", { ...values.answers, [id]: event.currentTarget.value })}
    />
  ));
}

interface ChoiceProps<Choice extends string> {
  label: string;
  choices: readonly Choice[];
  words: Record<Choice, string>;
  value: Choice | "";
  error: string | undefined;
  onChange: (choice: Choice) => void;
}

function ChoiceField<Choice extends string>({ label, choices, words, value, error, onChange }: ChoiceProps<Choice>) {
  const choose = (chosen: string) => {
    const choice = choices.find((each) => each === chosen);
    if (choice !== undefined) onChange(choice);
  };
  return (
    <Radio.Group label={label} value={value} error={error} onChange={choose}>
      <Stack gap="xs" pt="xs">
        {choices.map((choice) => (
          <Radio key={choice} value={choice} label={words[choice]} aria-invalid={error !== undefined} />
        ))}
      </Stack>
    </Radio.Group>
  );
}

function MeasuresField({ form: { values, errors, setFieldValue } }: { form: ScreeningForm }) {
  const choose = (chosen: string[]) =>
    setFieldValue(
      "measures",
      MEASURES.filter((measure) => chosen.includes(measure)),
    );
  return (
    <Checkbox.Group label="Safety measures" value={values.measures} error={errors["measures"]} onChange={choose}>
      <Stack gap="xs" pt="xs">
        {MEASURES.map((measure) => (
          <Checkbox key={measure} value={measure} label={MEASURE_NAMES[measure]} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
