import { CASE_STATUS_NAMES, LEFT_PARTY_STATUSES, partyStatusName } from "@app/shared/case-states";
import type { Region } from "@app/shared/regions";
import type { Case, Party } from "@app/shared/cases";
import { confidencesName } from "@app/shared/confidences";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { useCaseChanged } from "./use-case-changes.ts";

interface Props {
  theCase: Case;
  /** Null for the case itself. */
  party: Party | null;
  /** The last new agreement about confidences, instead of a step. */
  of?: "step" | "confidences";
  onClose: () => void;
}

/** What the last step was, in words; empty where none can be taken back. */
export function lastStepOf({ theCase, party }: Pick<Props, "theCase" | "party">, region: Region): string {
  const place = { domain: theCase.domain, region };
  if (party)
    return party.lastStep
      ? `${party.label} goes back from "${partyStatusName(place, party.lastStep.to)}" to "${partyStatusName(place, party.lastStep.from)}".`
      : "";
  const { lastStep } = theCase;
  return lastStep
    ? `The case goes back from "${CASE_STATUS_NAMES[lastStep.to]}" to "${CASE_STATUS_NAMES[lastStep.from]}".`
    : "";
}

/** What a party does not get to read where they were out of the case, or are again; empty where they never were. */
export function hiddenFrom(party: Pick<Party, "label" | "leftAt" | "lastStep"> | null): string {
  if (!party?.lastStep) return "";
  const { label, leftAt, lastStep } = party;
  const isOutAgain = LEFT_PARTY_STATUSES.includes(lastStep.from);
  if (isOutAgain && leftAt === null)
    return `${label} is out of the case again since they left: what was shared after that is hidden from them.`;
  if (isOutAgain || leftAt === null) return "";
  return `What was shared while ${label} was out of the case stays hidden from them. Share again what they are to read.`;
}

function lastAgreementOf({ agreements, confidences, newAgreement }: Case): string {
  if (newAgreement) return "The new agreement that not everybody has signed is given up.";
  const last = agreements.at(-1);
  return last ? `Confidences go back from "${confidencesName(confidences)}" to "${confidencesName(last.from)}".` : "";
}

/** Takes a step back that was wrong; the history keeps both. */
export function CorrectStepDialog({ theCase, party, of = "step", onClose }: Props) {
  const changed = useCaseChanged();
  const { region } = useCurrentUser();
  const correct = api.casework.correct.useMutation();
  const form = useOpenedForm({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: { reason: "" },
    validate: ({ reason }): Record<string, string> => (reason.trim() === "" ? { reason: "Say what was wrong" } : {}),
    submit: async ({ reason }, { id, version }) => {
      await correct.mutateAsync({ id, version, partyId: party?.partyId ?? "", of, reason });
      await changed();
      notify(of === "step" ? "The last step is taken back" : "The last new agreement is taken back");
      onClose();
    },
  });
  const { opened } = form;
  const whose = opened.parties.find(({ partyId }) => partyId === party?.partyId) ?? null;
  const hidden = hiddenFrom(whose);
  const title = of === "step" ? "Take the last step back" : "Take the last new agreement back";
  const what = of === "step" ? lastStepOf({ theCase: opened, party: whose }, region) : lastAgreementOf(opened);
  return (
    <Dialog isOpen onClose={onClose} title={title} size="form">
      <OpenedForm form={form} what="case" label={title}>
        <Stack gap="lg">
          <p>{what} The history keeps both, with your reason.</p>
          {hidden && <p>{hidden}</p>}
          {of === "step" && opened.domain === "family" && whose?.lastStep?.to === "miam_attended" && (
            <p>Where this step says that they attended their first meeting, the record of it is struck with it.</p>
          )}
          <TextInput label="What was wrong?" {...form.field("reason")} />
          <FormFoot isSaving={form.isSaving}>Take it back</FormFoot>
        </Stack>
      </OpenedForm>
    </Dialog>
  );
}
