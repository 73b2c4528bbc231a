import { CASE_STATUS_NAMES, type CaseStatus, ENDED_EARLY, type Ending, ENDING_NAMES } from "@app/shared/case-states";
import type { Case, CaseStep } from "@app/shared/cases";
import { NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import type { useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { optionsOf, pick } from "../cases/case-words.ts";
import { CASE_FACTS } from "./case-facts.ts";
import { NO_OUTCOME, OutcomeFields, outcomeOf, type OutcomeValues, outcomeProblems } from "./outcome-fields.tsx";
import { useCaseChanged } from "./use-case-changes.ts";
import "./casework.css";

interface Props {
  theCase: Case;
  onClose: () => void;
}

/** Moves a case to one of its legal next states; what is still missing is said beside each. */
export function MoveCaseDialog({ theCase, onClose }: Props) {
  // What stood in the way when this was last open may be done since: it is never shown again.
  const steps = api.casework.steps.useQuery({ id: theCase.id }, { staleTime: 0, gcTime: 0 });
  return (
    <Dialog isOpen onClose={onClose} title={`Move case ${theCase.caseRef} on`} size="form">
      <Loaded query={steps} failureTitle="The next states could not be read">
        {({ items }) =>
          items.length === 0 ? (
            <p>This case is over. Nothing leads on from &ldquo;{CASE_STATUS_NAMES[theCase.status]}&rdquo;.</p>
          ) : (
            <MoveForm theCase={theCase} steps={items} onClose={onClose} />
          )
        }
      </Loaded>
    </Dialog>
  );
}

interface Values extends OutcomeValues {
  to: CaseStatus | "";
  reason: string;
  ending: Ending | "";
}

const problemsOf = (theCase: Case, values: Values): Record<string, string> => {
  if (values.to === "concluded") return outcomeProblems(theCase, values);
  return values.to !== "" && ENDED_EARLY.includes(values.to) && values.ending === ""
    ? { ending: "Choose why it ends" }
    : {};
};

function MoveForm({ theCase, steps, onClose }: Props & { steps: CaseStep[] }) {
  const changed = useCaseChanged();
  const move = api.casework.move.useMutation();
  const form = useOpenedForm<Case, Values>({
    record: theCase,
    facts: CASE_FACTS,
    initialValues: { to: "", reason: "", ending: "", ...NO_OUTCOME },
    validate: (values) => problemsOf(theCase, values),
    submit: async ({ to, reason, ending, ...values }, { id, version }) => {
      if (to === "") return;
      const outcome = to === "concluded" ? outcomeOf(values) : null;
      await move.mutateAsync({ id, version, to, reason, ending: ending || null, outcome });
      await changed();
      notify(`Case ${theCase.caseRef} is now "${CASE_STATUS_NAMES[to]}"`);
      onClose();
    },
  });
  const { to } = form.values;
  const chosen = steps.find((step) => step.to === to);
  return (
    <OpenedForm form={form} what="case" label="Move case">
      <Stack gap="lg">
        <Radio.Group
          label={`Now: ${CASE_STATUS_NAMES[form.opened.status]}. Move to`}
          value={to}
          onChange={(value) => form.setFieldValue("to", steps.find((step) => step.to === value)?.to ?? "")}
        >
          <Stack gap="sm" pt="xs">
            {steps.map((step) => (
              <Radio
                key={step.to}
                value={step.to}
                disabled={step.blockers.length > 0}
                label={CASE_STATUS_NAMES[step.to]}
                description={step.blockers.length > 0 ? step.blockers.join(" ") : undefined}
              />
            ))}
          </Stack>
        </Radio.Group>
        {chosen && ENDED_EARLY.includes(chosen.to) && <EndingField form={form} />}
        {chosen?.needsReason && (
          <TextInput label="Why?" description="For the practice's own file" {...form.field("reason")} />
        )}
        {to === "concluded" && (
          <OutcomeFields
            theCase={theCase}
            values={form.values}
            errors={form.errors}
            onChange={(change) => form.setValues((before) => ({ ...before, ...change }))}
          />
        )}
        <FormFoot isSaving={form.isSaving} isDisabled={to === ""}>
          {to === "" ? "Move on" : `Move to ${CASE_STATUS_NAMES[to]}`}
        </FormFoot>
      </Stack>
    </OpenedForm>
  );
}

function EndingField({
  form,
}: {
  form: Pick<ReturnType<typeof useServerForm<Values>>, "values" | "errors" | "setFieldValue">;
}) {
  return (
    <NativeSelect
      label="How did it end?"
      data={[{ value: "", label: "Choose why it ends" }, ...optionsOf(ENDING_NAMES)]}
      value={form.values.ending}
      error={form.errors["ending"]}
      onChange={({ currentTarget: { value } }) =>
        form.setFieldValue("ending", value === "" ? "" : pick(ENDING_NAMES, value))
      }
    />
  );
}
