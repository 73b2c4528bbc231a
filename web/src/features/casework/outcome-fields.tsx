import { isAgreement, outcomesOf } from "@app/shared/case-outcomes";
import type { CaseStatus } from "@app/shared/case-states";
import { Checkbox, NativeSelect, Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { LEGAL_AID_OUTCOME_NAMES, optionsOf, OUTCOME_NAMES, pick } from "../cases/case-words.ts";
import { ClosingDocuments } from "./closing-documents.tsx";
import { IssueFields } from "./issue-fields.tsx";
import { asksForCode, codeOf, type Ending, hasKinds, isCodeOther, type OutcomeValues } from "./outcome-values.ts";

interface Props {
  ending: Ending;
  to: CaseStatus;
  values: OutcomeValues;
  errors: Readonly<Record<string, ReactNode>>;
  onChange: (change: Partial<OutcomeValues>) => void;
}

/** How a mediation ended: as a whole, issue by issue, and in the agency's words where it pays. */
export function OutcomeFields({ ending, to, values, errors, onChange }: Props) {
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
      <IssueFields
        hasKinds={hasKinds(ending.theCase)}
        issues={values.issues}
        error={errors["issues"]}
        onChange={(issues) => onChange({ issues })}
      />
      {asksForCode(ending, values) && (
        <LegalAidFields ending={ending} values={values} errors={errors} onChange={onChange} />
      )}
      <Checkbox
        label="It was written up"
        error={errors["isWrittenUp"]}
        checked={values.isWrittenUp}
        onChange={(event) => onChange({ isWrittenUp: event.currentTarget.checked })}
      />
      <ClosingDocuments
        theCase={ending.theCase}
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

/** The agency's code: what the issues speak for stands there, and another is chosen with its reason. */
function LegalAidFields({ ending, values, errors, onChange }: Omit<Props, "to">) {
  const spoken = codeOf(ending, { ...values, laaCode: "" });
  return (
    <>
      <NativeSelect
        label="Outcome code for the Legal Aid Agency"
        description={spoken ? `The outcome and its issues speak for "${LEGAL_AID_OUTCOME_NAMES[spoken]}"` : undefined}
        data={[...(spoken ? [] : [{ value: "", label: "Choose the code" }]), ...optionsOf(LEGAL_AID_OUTCOME_NAMES)]}
        value={codeOf(ending, values)}
        error={errors["laaCode"]}
        onChange={({ currentTarget: { value } }) =>
          onChange({ laaCode: value === "" || value === spoken ? "" : pick(LEGAL_AID_OUTCOME_NAMES, value) })
        }
      />
      {isCodeOther(ending, values) && (
        <TextInput
          label="Why another code?"
          maxLength={200}
          value={values.laaReason}
          error={errors["laaReason"]}
          onChange={(event) => onChange({ laaReason: event.currentTarget.value })}
        />
      )}
    </>
  );
}
