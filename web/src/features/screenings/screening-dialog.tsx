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
import { Button, Checkbox, Group, Radio, Stack, Textarea } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { validateWith } from "../../core/validate.ts";
import { Dialog } from "../../ui/dialog.tsx";

const RISK_WORDS = { low: "Low", medium: "Medium", high: "High: makes a task", stop: "Stop: mediation is not safe" };
const SUITABLE_WORDS = { yes: "Suitable", yes_with_measures: "Suitable, with measures", no: "Not suitable" };

interface Props {
  caseId: string;
  party: Party;
  onClose: () => void;
}

/** The screening of one party, alone: what they said, the risk, and what follows. */
export function ScreeningDialog({ caseId, party, onClose }: Props) {
  const utils = api.useUtils();
  const complete = api.screenings.complete.useMutation();
  const empty: CompleteScreening = {
    caseId,
    partyId: party.partyId,
    answers: { afraid: "", control: "", violence: "", orders: "", children: "", speaking: "", measures: "" },
    risk: "low",
    measures: [],
    suitable: "yes",
    reasons: "",
    signposted: [],
    referral: null,
  };
  const form = useServerForm({
    initialValues: empty,
    validate: validateWith(completeScreeningSchema),
    submit: async (values, id) => {
      await complete.mutateAsync({ id, ...values });
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
  const { values, setFieldValue } = form;
  return (
    <Dialog isOpen onClose={onClose} title={`Screening of ${party.name}`} size="form">
      <Form form={form} label="Screening">
        <Stack gap="lg">
          <p className="quiet-text">
            Speak with {party.name} alone. What is written here is encrypted, and only those who may read screenings see
            it. No party ever does.
          </p>
          {SCREENING_QUESTIONS.map(({ id, text }) => (
            <Textarea
              key={id}
              label={text}
              autosize
              minRows={1}
              value={values.answers[id]}
              error={form.errors[`answers.${id}`]}
              onChange={(event) => setFieldValue("answers", { ...values.answers, [id]: event.currentTarget.value })}
            />
          ))}
          <Radio.Group
            label="Risk"
            value={values.risk}
            onChange={(value) => setFieldValue("risk", RISKS.find((each) => each === value) ?? "low")}
          >
            <Stack gap="xs" pt="xs">
              {RISKS.map((risk) => (
                <Radio key={risk} value={risk} label={RISK_WORDS[risk]} />
              ))}
            </Stack>
          </Radio.Group>
          <Radio.Group
            label="Mediation is"
            value={values.suitable}
            error={form.errors["suitable"]}
            onChange={(value) => setFieldValue("suitable", SUITABILITIES.find((each) => each === value) ?? "yes")}
          >
            <Stack gap="xs" pt="xs">
              {SUITABILITIES.map((suitable) => (
                <Radio key={suitable} value={suitable} label={SUITABLE_WORDS[suitable]} />
              ))}
            </Stack>
          </Radio.Group>
          <Checkbox.Group
            label="Safety measures"
            value={values.measures}
            error={form.errors["measures"]}
            onChange={(chosen) =>
              setFieldValue(
                "measures",
                MEASURES.filter((measure) => chosen.includes(measure)),
              )
            }
          >
            <Stack gap="xs" pt="xs">
              {MEASURES.map((measure) => (
                <Checkbox key={measure} value={measure} label={MEASURE_NAMES[measure]} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Textarea
            label={values.suitable === "yes" ? "Reasons (optional)" : "Reasons"}
            autosize
            minRows={2}
            {...form.field("reasons")}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Go back
            </Button>
            <Button type="submit" loading={form.isSaving}>
              Complete the screening
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
}
