import { CASE_STATUS_NAMES, type CaseStatus, REASONED_STATUSES } from "@app/shared/case-states";
import type { Case, CaseStep, Outcome } from "@app/shared/cases";
import { Checkbox, NativeSelect, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { OUTCOME_NAMES, optionsOf, pick } from "../cases/case-words.ts";
import { useCaseChanged } from "./use-case-changes.ts";
import "./casework.css";

interface Props {
  theCase: Case;
  onClose: () => void;
}

const LAA_CODES = { agreed_all: "A", agreed_some: "P", agreed_not_written: "A", not_agreed: "B" } as const;

/** Moves a case to one of its legal next states; what is still missing is said beside each. */
export function MoveCaseDialog({ theCase, onClose }: Props) {
  const steps = api.casework.steps.useQuery({ id: theCase.id }, { staleTime: 0 });
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

interface Values {
  to: CaseStatus | "";
  reason: string;
  code: Outcome["code"] | "";
  isWrittenUp: boolean;
  narrative: string;
}

function MoveForm({ theCase, steps, onClose }: Props & { steps: CaseStep[] }) {
  const changed = useCaseChanged();
  const move = api.casework.move.useMutation();
  const form = useServerForm<Values>({
    initialValues: { to: "", reason: "", code: "", isWrittenUp: false, narrative: "" },
    validate: ({ to, code }): Record<string, string> =>
      to === "concluded" && code === "" ? { code: "Choose how it ended" } : {},
    submit: async ({ to, reason, ...values }) => {
      if (to === "") return;
      const { id, version } = theCase;
      const outcome = to === "concluded" ? outcomeOf(values) : null;
      await move.mutateAsync({ id, version, to, reason, outcome });
      await changed();
      notify(`Case ${theCase.caseRef} is now "${CASE_STATUS_NAMES[to]}"`);
      onClose();
    },
  });
  const { to } = form.values;
  return (
    <Form form={form} label="Move case">
      <Stack gap="lg">
        <Radio.Group
          label={`Now: ${CASE_STATUS_NAMES[theCase.status]}. Move to`}
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
        {to !== "" && REASONED_STATUSES.includes(to) && (
          <TextInput label="Why does it end here?" {...form.field("reason")} />
        )}
        {to === "concluded" && <OutcomeFields form={form} />}
        <FormFoot isSaving={form.isSaving} isDisabled={to === ""}>
          {to === "" ? "Move on" : `Move to ${CASE_STATUS_NAMES[to]}`}
        </FormFoot>
      </Stack>
    </Form>
  );
}

function OutcomeFields({ form }: { form: ReturnType<typeof useServerForm<Values>> }) {
  return (
    <>
      <NativeSelect
        label="Outcome"
        data={[{ value: "", label: "Choose how it ended" }, ...optionsOf(OUTCOME_NAMES)]}
        value={form.values.code}
        error={form.errors["code"]}
        onChange={({ currentTarget: { value } }) =>
          form.setFieldValue("code", value === "" ? "" : pick(OUTCOME_NAMES, value))
        }
      />
      <Checkbox label="It was written up" {...form.field("isWrittenUp", { type: "checkbox" })} />
      <Textarea
        label="Summary (optional)"
        description="Nothing confidential: this may be told to anyone"
        autosize
        minRows={2}
        {...form.field("narrative")}
      />
    </>
  );
}

const outcomeOf = ({
  code,
  isWrittenUp,
  narrative,
}: Pick<Values, "code" | "isWrittenUp" | "narrative">): Outcome | null =>
  code === "" ? null : { code, laaCode: LAA_CODES[code], issues: [], isWrittenUp, narrative };
