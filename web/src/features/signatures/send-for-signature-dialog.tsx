import { hasSigned, isTakingPart } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { CONFIDENCES, type Confidences, confidencesName } from "@app/shared/confidences";
import type { StoredFile } from "@app/shared/files";
import { SIGNING_DAYS, SIGNING_DAYS_DEFAULT } from "@app/shared/signatures";
import { NOTE_MAX_LENGTH } from "@app/shared/text";
import { Checkbox, NativeSelect, Radio, Stack, Textarea } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";

interface Props {
  file: StoredFile;
  theCase: Case;
  onClose: () => void;
}

/** Who is to sign a PDF, until when, and whether it is the agreement to mediate. Nobody is chosen for you. */
export function SendForSignatureDialog({ file, theCase, onClose }: Props) {
  const parties = theCase.parties.filter((party) => isTakingPart(party) && reads(file, party));
  const form = useSending({ file, theCase, onClose });
  const { partyIds, isInOrder, isAgreement, confidences, days, words } = form.values;
  const mayAgree = parties.some((party) => !hasSigned(party));
  return (
    <Dialog isOpen onClose={onClose} title={`Send “${file.name}” for signature`} size="form" isDirty={form.isDirty()}>
      <Form form={form} label="Document to sign">
        <Stack gap="lg">
          <Checkbox.Group
            label="Who signs"
            description="Each gets a link of their own by email, and sees nothing of the others until all have signed"
            value={partyIds}
            error={form.errors["partyIds"]}
            onChange={(chosen) => form.setFieldValue("partyIds", chosen)}
          >
            <Stack gap="sm" mt="xs">
              {parties.map(({ partyId, label, name }) => (
                <Checkbox key={partyId} value={partyId} label={`${name} (${label})`} />
              ))}
            </Stack>
          </Checkbox.Group>
          {parties.length === 0 && (
            <p className="quiet-text">No party of this case may read this file. Share it with them first.</p>
          )}
          {partyIds.length > 1 && (
            <Checkbox
              label="One after the other, in this order"
              description="Else all can sign at once"
              checked={isInOrder}
              onChange={({ currentTarget }) => form.setFieldValue("isInOrder", currentTarget.checked)}
            />
          )}
          {mayAgree && (
            <Checkbox
              label="This is the agreement to mediate"
              description="Whoever signs it is then “Agreement signed” in the case"
              checked={isAgreement}
              error={form.errors["isAgreement"]}
              onChange={({ currentTarget }) => form.setFieldValue("isAgreement", currentTarget.checked)}
            />
          )}
          {isAgreement && theCase.confidences === null && (
            <Radio.Group
              label="What it says of confidences"
              value={confidences}
              error={form.errors["confidences"]}
              onChange={(value) => form.setFieldValue("confidences", value)}
            >
              <Stack gap="sm" mt="xs">
                {CONFIDENCES.map((one) => (
                  <Radio key={one} value={one} label={confidencesName(one)} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <NativeSelect
            label="Time to sign"
            description="They are reminded once, two days before it is over"
            value={days}
            data={SIGNING_DAYS.map((count) => ({ value: String(count), label: `${count} days` }))}
            onChange={({ currentTarget }) => form.setFieldValue("days", currentTarget.value)}
          />
          <Textarea
            label="A few words before the link (optional)"
            description="All signers read the same words"
            autosize
            minRows={2}
            maxLength={NOTE_MAX_LENGTH}
            value={words}
            onChange={({ currentTarget }) => form.setFieldValue("words", currentTarget.value)}
          />
          <FormFoot isSaving={form.isSaving}>Send for signature</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

const reads = ({ visibility: { scope, partyIds, aboutPartyIds } }: StoredFile, { partyId }: Party): boolean =>
  aboutPartyIds.every((id) => id === partyId) &&
  (scope === "shared" || (scope === "party" && partyIds.includes(partyId)));

const isConfidences = (value: string): value is Confidences => CONFIDENCES.some((one) => one === value);

function useSending({ file, theCase, onClose }: Props) {
  const utils = api.useUtils();
  const create = api.signatures.create.useMutation();
  return useServerForm({
    initialValues: {
      partyIds: new Array<string>(),
      isInOrder: false,
      isAgreement: false,
      confidences: "",
      days: String(SIGNING_DAYS_DEFAULT),
      words: "",
    },
    validate: ({ partyIds, isAgreement, confidences }) => ({
      ...(partyIds.length === 0 ? { partyIds: "Choose who is to sign" } : {}),
      ...(isAgreement && theCase.confidences === null && confidences === ""
        ? { confidences: "Choose what the agreement says of confidences" }
        : {}),
    }),
    submit: async ({ partyIds, isInOrder, isAgreement, confidences, days, words }, id) => {
      // In the order of the case, whichever was ticked first.
      const inOrder = theCase.parties.map(({ partyId }) => partyId).filter((partyId) => partyIds.includes(partyId));
      const made = await create.mutateAsync({
        id,
        fileId: file.id,
        partyIds: inOrder,
        isInOrder: isInOrder && inOrder.length > 1,
        isAgreement,
        confidences: isAgreement && isConfidences(confidences) ? confidences : null,
        days: SIGNING_DAYS.find((count) => String(count) === days) ?? SIGNING_DAYS_DEFAULT,
        words,
      });
      await Promise.all([utils.signatures.invalidate(), utils.timeline.invalidate(), utils.tasks.invalidate()]);
      const isTold = made.signers.some(({ task }) => task !== "");
      notify(
        isTold ? "Sent. Somebody may not be emailed: a task says how to reach them" : "The links are on their way",
      );
      onClose();
    },
  });
}
