import {
  CASE_STATUS_NAMES,
  caseStatusName,
  type CaseStatus,
  ENDED_EARLY,
  type Ending,
  ENDING_NAMES,
  endingsOf,
  endsOnDay,
  isEnd,
  whatEnded,
} from "@app/shared/case-states";
import { againstBreakdown } from "@app/shared/case-closing";
import { outcomesOf } from "@app/shared/case-outcomes";
import { type CaseSteps, entriesWait, unwrittenWait } from "@app/shared/case-steps";
import type { Case } from "@app/shared/cases";
import { Button, Checkbox, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";
import type { useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useToday } from "../../core/today.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { goToSection } from "../../ui/section.tsx";
import { SAFEGUARDING_PLACE } from "../safeguarding/safeguarding-section.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { OutcomeFields } from "./outcome-fields.tsx";
import {
  contradictedBy,
  type Ending as EndOfCase,
  NO_OUTCOME,
  outcomeOf,
  outcomeProblems,
  type OutcomeValues,
} from "./outcome-values.ts";
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
        {(found) =>
          found.items.length === 0 ? (
            <p>This case is over. Nothing leads on from &ldquo;{caseStatusName(theCase)}&rdquo;.</p>
          ) : (
            <MoveForm theCase={theCase} {...found} onClose={onClose} />
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
  endedOn: string;
  /** Somebody said that it ends while entries of the safeguarding record wait. */
  hasSeenEntries: boolean;
  hasSeenUnwritten: boolean;
}

interface When {
  last: CaseSteps["lastSession"];
  mediatedIds: CaseSteps["mediatedIds"];
  today: string;
}

/** Where mediation ends its outcome is said, whether it was concluded or broke down. */
const asksOutcome = (to: CaseStatus | ""): to is CaseStatus => to !== "" && outcomesOf(to).length > 0;

const contradiction = (end: EndOfCase, values: Values, when: When): string | null =>
  asksOutcome(values.to) ? contradictedBy(end, values, when) : null;

function problemsOf(end: EndOfCase, values: Values, when: When): Record<string, string> {
  const against = contradiction(end, values, when);
  const outcome = outcomeOf(end, values);
  const resolved = values.to !== "" && outcome ? againstBreakdown(values.to, outcome) : null;
  return {
    ...(resolved !== null ? { issues: resolved } : {}),
    ...(asksOutcome(values.to) ? outcomeProblems(end, values) : {}),
    ...(values.to !== "" && ENDED_EARLY.includes(values.to) && values.ending === ""
      ? { ending: "Choose why it ends" }
      : {}),
    ...(values.to !== "" && endsOnDay(values.to) && values.endedOn === ""
      ? { endedOn: `Enter the day on which ${whatEnded(values.to)} ended` }
      : {}),
    ...(against !== null && values.reason.trim() === "" ? { reason: against } : {}),
  };
}

function MoveForm({
  theCase,
  items: steps,
  lastSession,
  hasSession,
  mediatedIds,
  onClose,
  ...found
}: Props & CaseSteps) {
  const openEntries = found.openEntries ?? 0;
  const { region } = useCurrentUser();
  const end = { theCase, region, hasSession, mediatedIds };
  const today = useToday();
  const when = { last: lastSession, mediatedIds, today };
  const changed = useCaseChanged();
  const move = api.casework.move.useMutation();
  const form = useOpenedForm<Case, Values>({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: {
      to: "",
      reason: "",
      ending: "",
      endedOn: today,
      hasSeenEntries: false,
      hasSeenUnwritten: false,
      ...NO_OUTCOME,
    },
    validate: (values) => problemsOf(end, values, when),
    submit: async ({ to, reason, ending, endedOn, hasSeenEntries, hasSeenUnwritten, ...values }, { id, version }) => {
      if (to === "") return;
      const outcome = asksOutcome(to) ? outcomeOf(end, values) : null;
      const why = ENDED_EARLY.includes(to) ? ending || null : null;
      const left = {
        openEntries: hasSeenEntries ? openEntries : 0,
        unwritten: hasSeenUnwritten ? found.unwritten.length : 0,
      };
      const said = { to, reason, ending: why, outcome, endedOn: endsOnDay(to) ? endedOn : "" };
      await move.mutateAsync({ id, version, ...said, ...left });
      await changed();
      notify(`Case ${theCase.caseRef} is now "${CASE_STATUS_NAMES[to]}"`);
      onClose();
    },
  });
  const { to } = form.values;
  const chosen = steps.find((step) => step.to === to);
  const against = contradiction(end, form.values, when);
  return (
    <OpenedForm form={form} what="case" label="Move case">
      <Stack gap="lg">
        <Radio.Group
          label={`Now: ${caseStatusName(form.opened)}. Move to`}
          value={to}
          onChange={(value) => {
            const next = steps.find((step) => step.to === value)?.to ?? "";
            // Not every outcome, or reason, is one of every end.
            const isKept = asksOutcome(next) && outcomesOf(next).some((code) => code === form.values.code);
            const ending = next !== "" && endingsOf(next).find((each) => each === form.values.ending);
            form.setValues((before) => ({
              ...before,
              to: next,
              code: isKept ? before.code : "",
              ending: ending || "",
            }));
          }}
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
        {chosen && ENDED_EARLY.includes(chosen.to) && <EndingField endings={endingsOf(chosen.to)} form={form} />}
        {to !== "" && endsOnDay(to) && (
          <TextInput
            label={to === "not_proceeding" ? "The case ended on" : "Mediation ended on"}
            type="date"
            max={today}
            {...form.field("endedOn")}
          />
        )}
        {asksOutcome(to) && (
          <OutcomeFields
            ending={end}
            to={to}
            values={form.values}
            errors={form.errors}
            onChange={(change) => form.setValues((before) => ({ ...before, ...change }))}
          />
        )}
        {(chosen?.needsReason || against !== null) && (
          <TextInput label="Why?" description={against ?? "For the practice's own file"} {...form.field("reason")} />
        )}
        {to !== "" && isEnd(to) && openEntries > 0 && <EntriesField count={openEntries} form={form} onLead={onClose} />}
        {to !== "" && isEnd(to) && found.unwritten.length > 0 && (
          <UnwrittenField titles={found.unwritten} form={form} />
        )}
        <FormFoot isSaving={form.isSaving} isDisabled={to === ""}>
          {to === "" ? "Move on" : `Move to ${CASE_STATUS_NAMES[to]}`}
        </FormFoot>
      </Stack>
    </OpenedForm>
  );
}

type MoveForm = Pick<ReturnType<typeof useServerForm<Values>>, "values" | "errors" | "setFieldValue">;

/** That the safeguarding record waits, for whoever may read it, with the way there. */
function EntriesField({ count, form, onLead }: { count: number; form: MoveForm; onLead: () => void }) {
  return (
    <Stack gap="xs" align="flex-start">
      <p>{entriesWait(count)}</p>
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          onLead();
          goToSection(SAFEGUARDING_PLACE);
        }}
      >
        Look at the safeguarding record
      </Button>
      <Checkbox
        label="The case ends all the same"
        checked={form.values.hasSeenEntries}
        error={form.errors["openEntries"]}
        onChange={(event) => form.setFieldValue("hasSeenEntries", event.currentTarget.checked)}
      />
    </Stack>
  );
}

/** That sessions which were held are not written up, by which it is said how mediation ended. */
function UnwrittenField({ titles, form }: { titles: readonly string[]; form: MoveForm }) {
  return (
    <Stack gap="xs" align="flex-start">
      <p>{unwrittenWait(titles)} Until then no end or certificate counts them.</p>
      <Checkbox
        label="The case ends before they are written up"
        checked={form.values.hasSeenUnwritten}
        error={form.errors["unwritten"]}
        onChange={(event) => form.setFieldValue("hasSeenUnwritten", event.currentTarget.checked)}
      />
    </Stack>
  );
}

function EndingField({ endings, form }: { endings: readonly Ending[]; form: MoveForm }) {
  return (
    <NativeSelect
      label="How did it end?"
      data={[
        { value: "", label: "Choose why it ends" },
        ...endings.map((value) => ({ value, label: ENDING_NAMES[value] })),
      ]}
      value={form.values.ending}
      error={form.errors["ending"]}
      onChange={({ currentTarget: { value } }) =>
        form.setFieldValue("ending", endings.find((ending) => ending === value) ?? "")
      }
    />
  );
}
