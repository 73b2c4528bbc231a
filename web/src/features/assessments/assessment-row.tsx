import { type Assessment, EVIDENCE_KIND_NAMES, MIAM_PLACE_NAMES } from "@app/shared/assessments";
import { Button, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { AssessmentDialog } from "./assessment-dialog.tsx";
import { StrikeDialog } from "./strike-dialog.tsx";
import type { Named } from "./use-assessment-form.ts";

interface Props {
  assessment: Assessment;
  /** Everybody in the case. */
  parties: readonly Named[];
  mayChange: boolean;
  /** What else can be done with it. */
  children?: ReactNode;
}

/** One attended MIAM: when, how, with whom, and what is still missing in its record. */
export function AssessmentRow({ assessment, parties, mayChange, children }: Props) {
  const formats = useFormats();
  const [dialog, setDialog] = useState<"correct" | "strike" | null>(null);
  const close = () => setDialog(null);
  const { attendedOn, status, origin, isComplete, isCertified } = assessment;
  // Whoever is not told what was said cannot keep it while the rest is changed.
  const mayCorrect = mayChange && !assessment.isWithheld && origin !== "elsewhere";
  const party = parties.find(({ partyId }) => partyId === assessment.partyId);
  const others = parties.filter(({ partyId }) => partyId !== assessment.partyId);
  const isElsewhere = origin === "elsewhere";
  const isHeld = status === "held";
  return (
    <div>
      <Group gap="xs">
        <strong>{formats.calendarDay(attendedOn)}</strong>
        {!isHeld && <Chip tone="outline">Struck</Chip>}
        {isElsewhere && <Chip tone="outline">Held elsewhere</Chip>}
        {isHeld && assessment.lacksRiskAssessment && <Chip tone="safety">Risk assessment missing</Chip>}
        {isHeld && !isComplete && <Chip tone="outline">Details missing</Chip>}
      </Group>
      <p className="quiet-text">
        {factsOf(assessment, others) ||
          (origin === "before_details" ? "Recorded before details were asked" : "Only the day is recorded")}
      </p>
      {mayChange && isHeld && (
        <Group gap="xs">
          {mayCorrect && !isComplete && (
            <Button size="xs" variant="default" onClick={() => setDialog("correct")}>
              Complete record
            </Button>
          )}
          {children}
          {mayCorrect && isComplete && !isCertified && (
            <Button size="xs" variant="subtle" onClick={() => setDialog("correct")}>
              Correct
            </Button>
          )}
          {!isCertified && (
            <Button size="xs" variant="subtle" color="red" onClick={() => setDialog("strike")}>
              Strike
            </Button>
          )}
        </Group>
      )}
      {dialog === "correct" && party && (
        <AssessmentDialog
          caseId={assessment.caseId}
          party={party}
          others={others}
          assessment={assessment}
          onClose={close}
        />
      )}
      {dialog === "strike" && <StrikeDialog assessment={assessment} onClose={close} />}
    </div>
  );
}

/** In one line; empty where only its day is known. */
function factsOf(assessment: Assessment, others: readonly Named[]): string {
  const { place, where, minutes, mediatorName, origin, service, accreditationNumber } = assessment;
  const isElsewhere = origin === "elsewhere";
  return [
    isElsewhere && service,
    place && MIAM_PLACE_NAMES[place],
    where,
    minutes && `${minutes} minutes`,
    mediatorName,
    isElsewhere && accreditationNumber && `URN ${accreditationNumber}`,
    isElsewhere && evidenceOf(assessment),
    companyOf(assessment, others),
    assessment.otherPeople && `also there: ${assessment.otherPeople}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

const evidenceOf = ({ evidenceKind, evidence }: Assessment): string =>
  evidenceKind === "" ? `Recorded: ${evidence}` : `${EVIDENCE_KIND_NAMES[evidenceKind]}: ${evidence}`;

function companyOf({ company, withPartyIds }: Assessment, others: readonly Named[]): string {
  const named = others.filter(({ partyId }) => withPartyIds.includes(partyId)).map(({ name }) => name);
  const words = {
    alone: "without any other participant",
    with: `with ${named.join(" and ")}`,
    together: "with each other participant",
    "": "",
  } as const satisfies Record<Assessment["company"], string>;
  return words[company];
}
