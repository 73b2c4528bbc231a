import { questionsOf } from "@app/shared/screening-tools";
import type { ScreeningTool } from "@app/shared/screening-tools/tool";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { FoundElsewhere } from "./found-elsewhere.tsx";
import { HeldFields } from "./held-fields.tsx";
import { OutcomeFields } from "./outcome-fields.tsx";
import { QuestionFields } from "./question-fields.tsx";
import { SafetyAnswers } from "./safety-answers.tsx";
import { type ScreeningForm, type ScreeningProps, useScreening, YES_NO } from "./use-screening.ts";
import "./screenings.css";

/** The screening of one party, alone: what was asked and answered, what was found, and what follows. */
export function ScreeningDialog(props: ScreeningProps) {
  const { party, onClose } = props;
  const { form, tool, laterOn } = useScreening(props);
  const client = api.clients.get.useQuery({ id: party.clientId });
  return (
    <Dialog isOpen onClose={onClose} title={`Screening of ${party.name}`} size="wide">
      <Form form={form} label="Screening">
        <div className="screening-strip">
          <PartyMarker label={party.label} />
          <strong>Speak with {party.name} alone</strong>
          <span>
            An interpreter, or a supporter of their own, may be there. Encrypted. Only those who may read screenings see
            it, and no party ever does. Ask in your own words, in any order. Of somebody who cannot be reached, or would
            not be asked, record no screening: say in the case that they do not answer, or refused.
          </span>
        </div>
        <SafetyAnswers caseId={props.theCase.id} party={party} />
        <FoundElsewhere form={form} elsewhere={props.elsewhere} />
        <Section title="When and how" order={3}>
          <HeldFields
            form={form}
            name={party.name}
            isOrganisation={client.data?.kind === "organisation"}
            laterOn={laterOn}
          />
        </Section>
        {tool.groups.map(({ title, questions }) => (
          <Section key={title} title={title} order={3}>
            <QuestionFields form={form} questions={questions} />
          </Section>
        ))}
        <Section title="Looked at with others" order={3}>
          <Stack gap="md" pt="sm">
            <ScoreFields form={form} />
            <ConsultedFields form={form} />
          </Stack>
        </Section>
        <Section title="What follows" order={3}>
          <Stack gap="md" pt="sm">
            <OutcomeFields form={form} isSuperseded={laterOn !== null} />
          </Stack>
        </Section>
        <FormFoot isSaving={form.isSaving} isSticky progress={progressOf(form, tool)}>
          Complete the screening
        </FormFoot>
      </Form>
    </Dialog>
  );
}

function progressOf({ values }: ScreeningForm, tool: ScreeningTool): string {
  const questions = questionsOf(tool);
  const answered = questions.filter(({ id }) => (values.answers[id]?.answer ?? "") !== "");
  return `${answered.length} of ${questions.length} questions answered`;
}

function ScoreFields({ form }: { form: ScreeningForm }) {
  const { values } = form;
  return (
    <>
      <ChoiceField
        label="Was a scored tool used as well, such as DASH or MASIC?"
        choices={YES_NO}
        {...form.field("hasScore")}
      />
      {values.hasScore === "yes" && (
        <div className="screening-three">
          <TextInput label="Which" {...form.field("score.name")} />
          <TextInput label="Score" {...form.field("score.score")} />
          <TextInput label="On" type="date" {...form.field("score.on")} />
        </div>
      )}
    </>
  );
}

function ConsultedFields({ form }: { form: ScreeningForm }) {
  const { values, errors } = form;
  return (
    <>
      <ChoiceField
        label="Was your professional practice consultant, or somebody else, consulted?"
        choices={YES_NO}
        {...form.field("isConsulted")}
        error={errors["consulted.isConsulted"]}
      />
      {values.isConsulted === "yes" && (
        <div className="screening-three">
          <TextInput label="Who" {...form.field("consulted.who")} />
          <TextInput label="On" type="date" {...form.field("consulted.on")} />
        </div>
      )}
      {values.isConsulted === "no" && <TextInput label="Why nobody was" {...form.field("consulted.whyNot")} />}
    </>
  );
}
