import { hasWord } from "@app/shared/has-word";
import { TIME_REASON_MAX_LENGTH } from "@app/shared/session-times";
import { Stack, TextInput } from "@mantine/core";
import { Form, useServerForm } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCockpit } from "./cockpit-context.ts";
import { changeOrThrow } from "./use-session-changes.ts";

/** Calls off a session that was started by mistake, or stopped before it began. */
export function MistakeDialog() {
  const { session, change, show } = useCockpit();
  const form = useServerForm({
    initialValues: { cancelReason: "" },
    validate: ({ cancelReason }): Record<string, string> =>
      hasWord(cancelReason) ? {} : { cancelReason: "Say why it was not held" },
    submit: async ({ cancelReason }, changeId) => {
      const call = { to: "cancelled" as const, cancelReason };
      await changeOrThrow(change, { changeId, call: (sessions, id) => sessions.move.mutate({ ...id, ...call }) });
      show(null);
    },
  });
  return (
    <Dialog isOpen onClose={() => show(null)} title={`Was session ${session.number} not held?`} size="form">
      <Form form={form} label="Call the session off">
        <Stack gap="lg">
          <p>
            It stays in the list as cancelled, with your reason, and no longer counts. Nobody is recorded as absent. Who
            came all the same, and what they said of their safety, stays with it.
          </p>
          <TextInput
            label="Why was it not held?"
            description="Such as: started by mistake, or stopped at the door"
            maxLength={TIME_REASON_MAX_LENGTH}
            {...form.field("cancelReason")}
          />
          <FormFoot isSaving={form.isSaving}>Call it off</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
