import {
  againstSession,
  contradictionsIn,
  isAgreement,
  ISSUES_MAX,
  type LastSession,
  type LEGAL_AID_OUTCOMES,
  type Outcome,
  outcomesOf,
  takesLegalAidCode,
} from "@app/shared/case-outcomes";
import type { CaseStatus } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { Button, Checkbox, Group, Input, NativeSelect, Stack, Textarea, TextInput } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { makeId } from "../../core/new-id.ts";
import { ClosingDocuments } from "./closing-documents.tsx";
import { ISSUE_RESULT_NAMES, LEGAL_AID_OUTCOME_NAMES, optionsOf, OUTCOME_NAMES, pick } from "../cases/case-words.ts";

type Result = Outcome["issues"][number]["result"];

export interface OutcomeValues {
  code: Outcome["code"] | "";
  laaCode: Outcome["laaCode"];
  issues: { key: string; label: string; result: Result | "" }[];
  isWrittenUp: boolean;
  documents: Outcome["documents"];
  isAdviceTold: boolean;
  narrative: string;
}

export const NO_OUTCOME: OutcomeValues = {
  code: "",
  laaCode: "",
  issues: [],
  isWrittenUp: false,
  documents: [],
  isAdviceTold: false,
  narrative: "",
};

const isAided = ({ parties }: Pick<Case, "parties">): boolean =>
  parties.some(({ funding }) => funding.type === "legal_aid");

const asksForCode = (theCase: Case, { code }: Pick<OutcomeValues, "code">): boolean =>
  isAided(theCase) && (code === "" || takesLegalAidCode(code));

/** What still has to be chosen, by field. */
export function outcomeProblems(theCase: Case, values: OutcomeValues): Record<string, string> {
  const { code, laaCode, issues } = values;
  const outcome = outcomeOf(values);
  const open = issues.findIndex(({ label, result }) => label.trim() === "" || result === "");
  return {
    ...(outcome ? contradictionsIn(outcome, theCase.issueScope) : {}),
    ...(code === "" ? { code: "Choose how it ended" } : {}),
    ...(asksForCode(theCase, values) && laaCode === "" ? { laaCode: "Choose the code for the Legal Aid Agency" } : {}),
    ...(open >= 0 ? { issues: "Name each issue and choose its result, or take it out." } : {}),
  };
}

/** What has to be explained, because the last session says otherwise; null where nothing has. */
export const contradictedBy = ({ code }: OutcomeValues, last: LastSession | null): string | null =>
  code === "" ? null : againstSession(code, last);

export const outcomeOf = ({ code, laaCode, issues, ...values }: OutcomeValues): Outcome | null =>
  code === ""
    ? null
    : {
        ...values,
        code,
        laaCode: takesLegalAidCode(code) ? laaCode : "",
        issues: issues.flatMap(({ label, result }) => (result === "" ? [] : [{ label: label.trim(), result }])),
      };

/** The code that the outcome speaks for; what part was agreed of all issues is for whoever knows to say. */
function speaksFor({ code }: OutcomeValues, { issueScope }: Case): (typeof LEGAL_AID_OUTCOMES)[number] | null {
  if (code === "not_agreed") return "B";
  if (code === "agreed_all") return "S";
  return code === "agreed_some" && issueScope !== "all_issues" ? "S" : null;
}

interface Props {
  theCase: Case;
  to: CaseStatus;
  values: OutcomeValues;
  errors: Readonly<Record<string, ReactNode>>;
  onChange: (change: Partial<OutcomeValues>) => void;
}

/** How a mediation ended: as a whole, issue by issue, and in the agency's words where it pays. */
export function OutcomeFields({ theCase, to, values, errors, onChange }: Props) {
  const spoken = speaksFor(values, theCase);
  const codes = outcomesOf(to);
  return (
    <>
      <NativeSelect
        label="Outcome"
        data={[
          { value: "", label: "Choose how it ended" },
          ...codes.map((value) => ({ value, label: OUTCOME_NAMES[value] })),
        ]}
        value={values.code}
        error={errors["code"] ?? errors["outcome"]}
        onChange={({ currentTarget: { value } }) => onChange({ code: codes.find((code) => code === value) ?? "" })}
      />
      {values.code !== "" && isAgreement(values.code) && !errors["issues"] && (
        <p className="quiet-text">Name each issue, and what came of it.</p>
      )}
      <IssueFields issues={values.issues} error={errors["issues"]} onChange={(issues) => onChange({ issues })} />
      {asksForCode(theCase, values) && (
        <NativeSelect
          label="Outcome code for the Legal Aid Agency"
          description={spoken ? `The outcome above speaks for "${LEGAL_AID_OUTCOME_NAMES[spoken]}"` : undefined}
          data={[{ value: "", label: "Choose the code" }, ...optionsOf(LEGAL_AID_OUTCOME_NAMES)]}
          value={values.laaCode}
          error={errors["laaCode"]}
          onChange={({ currentTarget: { value } }) =>
            onChange({ laaCode: value === "" ? "" : pick(LEGAL_AID_OUTCOME_NAMES, value) })
          }
        />
      )}
      <Checkbox
        label="It was written up"
        error={errors["isWrittenUp"]}
        checked={values.isWrittenUp}
        onChange={(event) => onChange({ isWrittenUp: event.currentTarget.checked })}
      />
      <ClosingDocuments
        theCase={theCase}
        documents={values.documents}
        error={errors["documents"]}
        onChange={(documents) => onChange({ documents })}
      />
      <Checkbox
        label="They were told to take legal advice"
        description="Proposals bind nobody until they are made legal"
        checked={values.isAdviceTold}
        onChange={(event) => onChange({ isAdviceTold: event.currentTarget.checked })}
      />
      <Textarea
        label="Summary (optional)"
        description="For the mediators of the case and the practice's owner"
        autosize
        minRows={2}
        value={values.narrative}
        error={errors["narrative"]}
        onChange={(event) => onChange({ narrative: event.currentTarget.value })}
      />
    </>
  );
}

interface IssuesProps {
  issues: OutcomeValues["issues"];
  error: ReactNode;
  onChange: (issues: OutcomeValues["issues"]) => void;
}

function IssueFields({ issues, error, onChange }: IssuesProps) {
  const put = (index: number, change: Partial<OutcomeValues["issues"][number]>) =>
    onChange(issues.map((issue, at) => (at === index ? { ...issue, ...change } : issue)));
  return (
    <Stack gap="xs">
      {issues.map((issue, index) => (
        <Group key={issue.key} gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            label={`Issue ${index + 1}`}
            maxLength={100}
            value={issue.label}
            onChange={(event) => put(index, { label: event.currentTarget.value })}
          />
          <NativeSelect
            label="Result"
            data={[{ value: "", label: "Choose" }, ...optionsOf(ISSUE_RESULT_NAMES)]}
            value={issue.result}
            onChange={({ currentTarget: { value } }) =>
              put(index, { result: value === "" ? "" : pick(ISSUE_RESULT_NAMES, value) })
            }
          />
          <Button
            variant="subtle"
            px="xs"
            aria-label={`Take issue ${index + 1} out`}
            onClick={() => onChange(issues.filter((each) => each !== issue))}
          >
            <IconX size={16} stroke={1.7} aria-hidden />
          </Button>
        </Group>
      ))}
      {error && <Input.Error>{error}</Input.Error>}
      <Group>
        <Button
          size="xs"
          variant="default"
          disabled={issues.length >= ISSUES_MAX}
          leftSection={<IconPlus size={14} stroke={1.7} aria-hidden />}
          onClick={() => onChange([...issues, { key: makeId(), label: "", result: "" }])}
        >
          Add an issue
        </Button>
      </Group>
    </Stack>
  );
}
