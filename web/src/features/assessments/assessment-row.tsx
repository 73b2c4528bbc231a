import { type Assessment, MIAM_PLACE_NAMES } from "@app/shared/assessments";
import type { Party } from "@app/shared/cases";
import { Button, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { AssessmentDialog } from "./assessment-dialog.tsx";
import { StrikeDialog } from "./strike-dialog.tsx";

interface Props {
  assessment: Assessment;
  party: Pick<Party, "partyId" | "name">;
  mayChange: boolean;
  /** What else can be done with it. */
  children?: ReactNode;
}

/** One attended MIAM: when, how, with whom, and what is still missing in its record. */
export function AssessmentRow({ assessment, party, mayChange, children }: Props) {
  const formats = useFormats();
  const [dialog, setDialog] = useState<"correct" | "strike" | null>(null);
  const close = () => setDialog(null);
  const { attendedOn, place, where, minutes, mediatorName, status, origin, isComplete, isCertified } = assessment;
  // Whoever is not told what was said cannot keep it while the rest is changed.
  const mayCorrect = mayChange && !assessment.isWithheld;
  const facts = [place && MIAM_PLACE_NAMES[place], where, minutes && `${minutes} minutes`, mediatorName];
  const isHeld = status === "held";
  return (
    <div>
      <Group gap="xs">
        <strong>{formats.calendarDay(attendedOn)}</strong>
        {!isHeld && <Chip tone="outline">Struck</Chip>}
        {isHeld && !isComplete && <Chip tone="outline">Details missing</Chip>}
      </Group>
      <p className="quiet-text">
        {facts.filter(Boolean).join(" · ") ||
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
      {dialog === "correct" && (
        <AssessmentDialog caseId={assessment.caseId} party={party} assessment={assessment} onClose={close} />
      )}
      {dialog === "strike" && <StrikeDialog assessment={assessment} onClose={close} />}
    </div>
  );
}
