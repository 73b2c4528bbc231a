import { TIME_REASON_MAX_LENGTH } from "@app/shared/session-times";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { checkWhen, whenOf } from "../../ui/when-fields.tsx";
import { useCockpit } from "./cockpit-context.ts";
import { heldOf, HeldFields, NO_TIME } from "./held-fields.tsx";

/** When a prepared session was held, or when it was held in truth. */
export function TimeDialog() {
  const { session, show } = useCockpit();
  const { timeZone } = useCurrentUser();
  const utils = api.useUtils();
  const setTimes = api.sessions.setTimes.useMutation();
  const { id, startedAt, endedAt } = session;
  const isCorrection = startedAt !== null && endedAt !== null;
  const form = useServerForm({
    initialValues: {
      when: isCorrection ? whenOf(timeZone, startedAt, endedAt) : NO_TIME,
      reason: "",
      unmetReason: "",
    },
    validate: ({ when }) => checkWhen(when),
    submit: async ({ reason, ...held }, changeId) => {
      const answer = await setTimes.mutateAsync({ id, changeId, reason, ...heldOf(timeZone, held) });
      utils.sessions.get.setData({ id }, answer);
      await Promise.all([utils.sessions.ofCase.invalidate(), utils.timeline.invalidate(), utils.tasks.invalidate()]);
      show(null);
    },
  });
  return (
    <Dialog
      isOpen
      onClose={() => show(null)}
      title={isCorrection ? "Correct the time" : "Record when it was held"}
      size="form"
    >
      <Form form={form} label="When the session took place">
        <Stack gap="lg">
          <HeldFields
            value={form.values}
            errors={form.errors}
            onWhen={(when) => form.setFieldValue("when", when)}
            onReason={(reason) => form.setFieldValue("unmetReason", reason)}
          />
          {isCorrection && (
            <TextInput
              label="Why is it corrected?"
              description="Kept with both times in the history of the session."
              maxLength={TIME_REASON_MAX_LENGTH}
              {...form.field("reason")}
            />
          )}
          <FormFoot isSaving={form.isSaving}>{isCorrection ? "Correct the time" : "Record it as held"}</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
