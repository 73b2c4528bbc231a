import { asksWhyNeither, risksIn, whyNotSuitable } from "@app/shared/screening-limits";
import { MEASURE_NAMES, MEASURES, SUITABILITY_NAMES } from "@app/shared/screenings";
import { Checkbox, Textarea, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Panel } from "../../ui/panel.tsx";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { saidOf, type ScreeningForm, YES_NO } from "./use-screening.ts";

interface Props {
  form: ScreeningForm;
  /** Whether another one was held later, so that nothing follows from this one. */
  isSuperseded: boolean;
}

/** Whether this person can mediate, how, and why; and where they were pointed to if not. */
export function OutcomeFields({ form, isSuperseded }: Props) {
  const { values, errors } = form;
  // Once it was refused the same stands at the field.
  const isRefused = values.suitable !== "" && errors["suitable"] !== undefined;
  const against = whyNotSuitable({ answers: values.answers, company: values.company });
  return (
    <>
      {against.length > 0 && values.suitable !== "no" && !isRefused && (
        <Panel
          tone="safety"
          icon={<IconAlertTriangle size={18} stroke={1.7} aria-hidden />}
          title="Nobody can be found suitable yet"
        >
          {against.join(" ")}
        </Panel>
      )}
      <ChoiceField label="Mediation is" choices={SUITABILITY_NAMES} {...form.field("suitable")} isTall />
      {values.suitable === "yes_with_measures" && <MeasuresField form={form} />}
      {(values.suitable === "yes" || values.suitable === "yes_with_measures") && <RisksFields form={form} />}
      {values.suitable === "no" && !isSuperseded && (
        <Panel
          tone="danger"
          icon={<IconAlertTriangle size={18} stroke={1.7} aria-hidden />}
          title="No joint meeting or session from the moment this is kept"
        >
          Separate meetings stay possible. Nobody but those who may read screenings learns why.
        </Panel>
      )}
      <Textarea label="Reasons" autosize minRows={2} {...form.field("reasons")} />
      {values.suitable === "no" && <SignpostingFields form={form} />}
    </>
  );
}

/** Each risk that was told asks by itself why it is safe all the same. */
function RisksFields({ form }: { form: ScreeningForm }) {
  const { answers, suitable, isConsulted } = form.values;
  return (
    <>
      {risksIn(answers).map(({ id, name }) => (
        <Textarea
          key={id}
          label={`Why it is safe all the same: ${name}`}
          description={answers[id]?.words && `They said: ${answers[id].words}`}
          autosize
          minRows={1}
          {...form.field(`answers.${id}.safeBecause`)}
        />
      ))}
      {asksWhyNeither({ answers, suitable, isConsulted: saidOf(isConsulted) }) && (
        <Textarea label="Why neither measures nor a consultation" autosize minRows={1} {...form.field("whyNeither")} />
      )}
    </>
  );
}

function MeasuresField({ form: { values, errors, setFieldValue } }: { form: ScreeningForm }) {
  const choose = (chosen: string[]) =>
    setFieldValue(
      "measures",
      MEASURES.filter((measure) => chosen.includes(measure)),
    );
  return (
    <Checkbox.Group
      label="Measures"
      description="They are filled in when a meeting is booked"
      value={values.measures}
      error={errors["measures"]}
      onChange={choose}
    >
      <div className="screening-measures">
        {MEASURES.map((measure) => (
          <Checkbox key={measure} value={measure} label={MEASURE_NAMES[measure]} />
        ))}
      </div>
    </Checkbox.Group>
  );
}

function SignpostingFields({ form }: { form: ScreeningForm }) {
  const { values } = form;
  return (
    <>
      <Textarea
        label="Where you pointed them to"
        description="One place a line"
        autosize
        minRows={2}
        {...form.field("signposted")}
      />
      <ChoiceField label="Did you refer them to an agency yourself?" choices={YES_NO} {...form.field("isReferred")} />
      {values.isReferred === "yes" && (
        <div className="screening-three">
          <TextInput label="Agency" {...form.field("referral.agency")} />
          <TextInput label="On" type="date" {...form.field("referral.on")} />
          <TextInput label="Reference (optional)" {...form.field("referral.reference")} />
        </div>
      )}
    </>
  );
}
