import { type Assessment, type AssessmentDetails, assessmentDetailsSchema } from "@app/shared/assessments";
import type { Party } from "@app/shared/cases";
import { api } from "../../core/api.ts";
import { useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { validateWith } from "../../core/validate.ts";

type Chosen = "place" | "company" | "childInclusive" | "riskAssessment";
/** What nobody has said yet is empty, which the schema refuses. */
type Unsaid = { [Key in Chosen]: AssessmentDetails[Key] | "" } & { minutes: number | "" };
interface Values extends Omit<AssessmentDetails, Chosen | "minutes">, Unsaid {
  reason: string;
}

export type Named = Pick<Party, "partyId" | "name">;

export interface AssessmentFormProps {
  caseId: string;
  party: Named;
  /** Who else may have been there. */
  others: readonly Named[];
  /** The one that is completed or corrected; a new one where left out. */
  assessment?: Assessment | undefined;
  onClose: () => void;
}

const NOTHING: Values = {
  attendedOn: "",
  place: "",
  where: "",
  minutes: "",
  shortReason: "",
  isBriefConfirmed: false,
  mediatorId: "",
  company: "",
  withPartyIds: [],
  forms: [],
  formsReason: "",
  childInclusive: "",
  childInclusiveReason: "",
  signposting: "",
  riskAssessment: "",
  riskReason: "",
  reason: "",
};

/** The length that was planned is offered, because that is how long most take; whoever records it says how long it was. */
function valuesOf(assessment: Assessment | undefined): Values {
  if (!assessment) return NOTHING;
  const { attendedOn, place, where, shortReason, mediatorId, company, withPartyIds, minutes, plannedMinutes } =
    assessment;
  const { forms, formsReason, childInclusive, childInclusiveReason, signposting, riskAssessment, riskReason } =
    assessment;
  return {
    attendedOn,
    place,
    where,
    minutes: minutes ?? plannedMinutes ?? "",
    shortReason,
    isBriefConfirmed: assessment.isBriefConfirmed,
    mediatorId,
    // Who was there was not asked by name before, so it is asked now.
    company: company === "together" ? "with" : company,
    withPartyIds,
    forms,
    formsReason,
    childInclusive,
    childInclusiveReason,
    signposting,
    riskAssessment,
    riskReason,
    reason: "",
  };
}

/** Everything that shows what is recorded of meetings, or follows from it. */
export function useAssessmentChanged(): () => Promise<void> {
  const utils = api.useUtils();
  return async () => {
    await Promise.all([
      utils.assessments.invalidate(),
      utils.certificates.invalidate(),
      utils.cases.invalidate(),
      utils.casework.invalidate(),
      utils.partyView.invalidate(),
      utils.timeline.invalidate(),
    ]);
  };
}

export function useAssessmentForm({ caseId, party, assessment, onClose }: AssessmentFormProps) {
  const record = api.assessments.record.useMutation();
  const correct = api.assessments.correct.useMutation();
  const changed = useAssessmentChanged();
  return useServerForm<Values>({
    initialValues: valuesOf(assessment),
    validate: ({ reason, ...details }) => ({
      ...validateWith(assessmentDetailsSchema)(details),
      ...(assessment?.isComplete && !reason.trim() ? { reason: "Say why the record is corrected" } : {}),
    }),
    submit: async ({ reason, ...values }, id) => {
      const details = assessmentDetailsSchema.parse(withoutOldReasons(values));
      if (assessment) await correct.mutateAsync({ id: assessment.id, version: assessment.version, reason, ...details });
      else await record.mutateAsync({ id, caseId, partyId: party.partyId, ...details });
      await changed();
      notify(`The MIAM of ${party.name} is recorded`);
      onClose();
    },
  });
}

/** Why something was not done is not said of what was done after all. */
const withoutOldReasons = <Said extends Omit<Values, "reason">>(values: Said): Said => ({
  ...values,
  childInclusiveReason: values.childInclusive === "not_explained" ? values.childInclusiveReason : "",
  riskReason: values.riskAssessment === "not_done" ? values.riskReason : "",
});

export type AssessmentForm = ReturnType<typeof useAssessmentForm>;
