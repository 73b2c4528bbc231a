import {
  CONFLICT_DECISION_NAMES,
  CONFLICT_DECISIONS,
  type ConflictDecision,
  type ConflictHit,
} from "@app/shared/conflicts";
import { Button, Radio, Stack, Textarea } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { Chip } from "../../ui/chip.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { Section } from "../../ui/section.tsx";
import { ConflictHits } from "./conflict-hits.tsx";

const MEANINGS: Record<ConflictDecision, string> = {
  clear: "None of these is a conflict",
  flagged: "Somebody should look again before the case goes on",
  conflicted: "We may not take this case",
  waived: "There is a conflict, and everybody concerned agreed to go on",
};

const NOBODY = <span>No matches found for these parties.</span>;

export const CONFLICTS_PLACE = "conflict-check";

/** The conflict check of a case: what it finds now, and what was decided. */
export function ConflictSection({ caseId, mayDecide }: { caseId: string; mayDecide: boolean }) {
  const conflicts = api.conflicts.ofCase.useQuery({ id: caseId });
  const formats = useFormats();
  const [isDeciding, setIsDeciding] = useState(false);
  const latest = conflicts.data?.latest;
  const decide = (
    <Button variant="default" size="xs" onClick={() => setIsDeciding(true)}>
      {latest && !latest.isOutdated ? "Decide again" : "Decide"}
    </Button>
  );
  return (
    <Section title="Conflict check" place={CONFLICTS_PLACE} action={mayDecide && conflicts.data ? decide : undefined}>
      <Loaded query={conflicts} failureTitle="The conflict check could not be read">
        {({ hits, hiddenCount, isCut }) => (
          <Stack gap="xs" pt="sm" fz={13}>
            {latest && !latest.isOutdated ? (
              <span>
                <Chip tone={latest.decision === "conflicted" ? "late" : "plain"}>
                  {CONFLICT_DECISION_NAMES[latest.decision]}
                </Chip>{" "}
                {latest.decidedByName}, {formats.dateTime(latest.decidedAt)}
                {latest.reason && `: ${latest.reason}`}
                {latest.isCut && ". Not every record of a like name was shown when this was decided."}
              </span>
            ) : (
              <span>
                {latest
                  ? "The parties or their details changed since it was decided. Decide it again."
                  : "Not decided yet. Decide this before the case can move to intake, or anybody else is invited."}
              </span>
            )}
            <ConflictHits hits={hits} hiddenCount={hiddenCount} isCut={isCut} nobody={NOBODY} />
            {isDeciding && (
              <DecideDialog
                caseId={caseId}
                hits={hits}
                hiddenCount={hiddenCount}
                isCut={isCut}
                onClose={() => setIsDeciding(false)}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

interface DialogProps {
  caseId: string;
  hits: readonly ConflictHit[];
  hiddenCount: number;
  isCut: boolean;
  onClose: () => void;
}

function DecideDialog({ caseId, hits, hiddenCount, isCut, onClose }: DialogProps) {
  const utils = api.useUtils();
  const decide = api.conflicts.decide.useMutation();
  const form = useServerForm<{ decision: ConflictDecision | ""; reason: string }>({
    initialValues: { decision: "", reason: "" },
    validate: ({ decision, reason }) => {
      if (decision === "") return { decision: "Choose what you decide" };
      return decision === "clear" || reason.trim() ? {} : { reason: "Say why" };
    },
    submit: async ({ decision, reason }, id) => {
      if (decision === "") return;
      utils.conflicts.ofCase.setData({ id: caseId }, await decide.mutateAsync({ id, decision, reason, caseId }));
      await Promise.all([utils.casework.invalidate(), utils.timeline.invalidate()]);
      notify(`Conflict check: ${CONFLICT_DECISION_NAMES[decision]}`);
      onClose();
    },
  });
  const choose = (value: string) => {
    const decision = CONFLICT_DECISIONS.find((each) => each === value);
    if (decision) form.setFieldValue("decision", decision);
  };
  return (
    <Dialog isOpen onClose={onClose} title="Decide the conflict check" size="form">
      <Form form={form} label="Conflict check">
        <Stack gap="lg">
          <ConflictHits hits={hits} hiddenCount={hiddenCount} isCut={isCut} nobody={NOBODY} />
          <Radio.Group label="Decision" value={form.values.decision} error={form.errors["decision"]} onChange={choose}>
            <Stack gap="sm" pt="xs">
              {CONFLICT_DECISIONS.map((value) => (
                <Radio key={value} value={value} label={CONFLICT_DECISION_NAMES[value]} description={MEANINGS[value]} />
              ))}
            </Stack>
          </Radio.Group>
          <Textarea
            label={form.values.decision === "clear" ? "Reason (optional)" : "Reason"}
            autosize
            minRows={2}
            {...form.field("reason")}
          />
          <FormFoot isSaving={form.isSaving}>Record the decision</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
