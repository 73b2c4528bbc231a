import { type Assessment, assessmentDetailsSchema } from "@app/shared/assessments";
import type { Party } from "@app/shared/cases";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { validateWith } from "../../core/validate.ts";
import { useVersionedForm } from "../../core/versioned-form.tsx";
import { assessmentFields, type AssessmentValues, storedOf } from "./assessment-record.ts";

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

/** The fields of one record; where a colleague saved the same one meanwhile, what both typed is kept or chosen between. */
function useFields({ party, others }: AssessmentFormProps) {
  const people = api.users.colleagues.useQuery();
  const ofMediator = (id: string) =>
    people.data?.items.find(({ userId }) => userId === id)?.name ?? (id && "Somebody who left");
  const ofParty = (id: string) => [party, ...others].find(({ partyId }) => partyId === id)?.name ?? "Somebody else";
  return assessmentFields({ ofMediator, ofParty });
}

export function useAssessmentForm(props: AssessmentFormProps) {
  const { caseId, party, assessment, onClose } = props;
  const utils = api.useUtils();
  const [newId] = useNewId();
  const record = api.assessments.record.useMutation();
  const correct = api.assessments.correct.useMutation();
  const changed = useAssessmentChanged();
  return useVersionedForm<AssessmentValues>({
    fields: useFields(props),
    stored: storedOf(assessment),
    validate: ({ reason, ...details }) => ({
      ...validateWith(assessmentDetailsSchema)(details),
      ...(assessment?.isComplete && !reason.trim() ? { reason: "Say why the record is corrected" } : {}),
    }),
    async read() {
      const { items } = await utils.assessments.list.fetch({ caseId }, { staleTime: 0 });
      return storedOf(items.find(({ id }) => id === assessment?.id) ?? assessment);
    },
    async send({ reason, ...values }, version) {
      const details = assessmentDetailsSchema.parse(withoutOldReasons(values));
      const saved = assessment
        ? await correct.mutateAsync({ id: assessment.id, version, reason, ...details })
        : await record.mutateAsync({ id: newId, caseId, partyId: party.partyId, ...details });
      await changed();
      notify(`The meeting of ${party.name} is recorded`);
      onClose();
      return storedOf(saved);
    },
  });
}

/** Why something was not done, or done in another way, is not said of what was done as usual after all. */
const withoutOldReasons = <Said extends Omit<AssessmentValues, "reason">>(values: Said): Said => ({
  ...values,
  phoneReason: values.place === "phone" ? values.phoneReason : "",
  childInclusiveReason: values.childInclusive === "not_explained" ? values.childInclusiveReason : "",
  riskReason: values.riskAssessment === "not_done" ? values.riskReason : "",
});

export type AssessmentForm = ReturnType<typeof useAssessmentForm>;
