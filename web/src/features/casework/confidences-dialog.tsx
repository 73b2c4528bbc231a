import { hasSigned, isTakingPart } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { type Confidences, confidencesName } from "@app/shared/confidences";
import { hasWord } from "@app/shared/has-word";
import { Button, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { notify } from "../../core/notify.ts";
import { OpenedForm, useOpenedForm } from "../../core/opened-form.tsx";
import { useToday } from "../../core/today.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCaseFacts } from "./case-facts.ts";
import { ConfidencesField } from "./confidences-field.tsx";
import { CorrectAgreementDialog } from "./correct-agreement-dialog.tsx";
import { CorrectStepDialog } from "./correct-step-dialog.tsx";
import { useCaseChanged } from "./use-case-changes.ts";

interface Props {
  theCase: Case;
  onClose: () => void;
}

interface Values {
  to: Confidences | "";
  reason: string;
  /** By party; empty for whoever has not signed it yet. */
  days: Record<string, string>;
}

/** A new agreement in place of the one that was signed, by each of those who signed that. What was said before stays so. */
export function ConfidencesDialog({ theCase: read, onClose }: Props) {
  const [instead, setInstead] = useState<"noted wrong" | "taken back" | null>(null);
  const form = useNewAgreement({ theCase: read, onClose });
  const theCase = form.opened;
  const { newAgreement } = theCase;
  if (instead === "noted wrong") return <CorrectAgreementDialog theCase={read} onClose={onClose} />;
  if (instead === "taken back")
    return <CorrectStepDialog theCase={read} party={null} of="confidences" onClose={onClose} />;
  const isCorrectable = newAgreement !== null || theCase.agreements.at(-1)?.partyId === null;
  return (
    <Dialog isOpen onClose={onClose} title="New agreement about confidences" size="form">
      <OpenedForm form={form} what="case" label="New agreement about confidences">
        <Stack gap="lg">
          <p>
            Now: {confidencesName(theCase.confidences)}. Whatever was said in confidence until now stays in confidence.
            The new agreement counts once everybody has signed it.
          </p>
          {newAgreement ? (
            <p>
              New: {confidencesName(newAgreement.to)}, because: {newAgreement.reason}
            </p>
          ) : (
            <>
              <ConfidencesField domain={theCase.domain} {...form.field("to")} />
              <TextInput label="Why?" {...form.field("reason")} />
            </>
          )}
          <Signatures form={form} theCase={theCase} />
          <FormFoot isSaving={form.isSaving}>Record the signatures</FormFoot>
          {!newAgreement && (
            <Button variant="default" onClick={() => setInstead("noted wrong")}>
              The agreement says something else
            </Button>
          )}
          {isCorrectable && (
            <Button variant="default" onClick={() => setInstead("taken back")}>
              Take the last new agreement back
            </Button>
          )}
        </Stack>
      </OpenedForm>
    </Dialog>
  );
}

/** Of each who is bound by the agreement, the day on which they signed the new one. */
function Signatures({ form, theCase }: { form: ReturnType<typeof useNewAgreement>; theCase: Case }) {
  const today = useToday();
  const formats = useFormats();
  return theCase.parties.filter(isBound).map(({ partyId, name, label }) => {
    const signed = theCase.newAgreement?.signatures.find((one) => one.partyId === partyId);
    if (signed)
      return (
        <p key={partyId}>
          {name} ({label}) signed it on {formats.calendarDay(signed.on)}.
        </p>
      );
    return (
      <TextInput
        key={partyId}
        label={`${name} (${label}) signed it on`}
        description="Empty until they have"
        type="date"
        max={today}
        maw={320}
        {...form.field(`days.${partyId}`)}
      />
    );
  });
}

const isBound = (party: Party): boolean => isTakingPart(party) && hasSigned(party);

function useNewAgreement({ theCase, onClose }: Props) {
  const changed = useCaseChanged();
  const change = api.casework.changeConfidences.useMutation();
  const { newAgreement, parties } = theCase;
  const bound = parties.filter(isBound).map(({ partyId }) => partyId);
  return useOpenedForm<Case, Values>({
    record: theCase,
    facts: useCaseFacts(),
    initialValues: {
      to: newAgreement?.to ?? "",
      reason: "",
      days: Object.fromEntries(bound.map((partyId) => [partyId, ""])),
    },
    validate: ({ to, reason, days }): Record<string, string> => {
      const first = bound.find((partyId) => !newAgreement?.signatures.some((one) => one.partyId === partyId));
      const isSigned = Object.values(days).some((on) => on !== "");
      return {
        ...(to === "" ? { to: "Choose what the new agreement says" } : {}),
        ...(!newAgreement && !hasWord(reason) ? { reason: "Say why there is a new agreement" } : {}),
        ...(isSigned ? {} : { [`days.${first}`]: "Enter the day on which one of them signed it" }),
      };
    },
    submit: async ({ to, reason, days }, { id, version }) => {
      if (to === "") return;
      const signatures = Object.entries(days).flatMap(([partyId, on]) => (on === "" ? [] : { partyId, on }));
      const after = await change.mutateAsync({ id, version, to, reason, signatures });
      await changed();
      notify(
        after.newAgreement
          ? "The signatures are recorded; the agreement before still holds"
          : "The new agreement counts",
      );
      onClose();
    },
  });
}
