import { hasWord } from "@app/shared/has-word";
import { TIME_REASON_MAX_LENGTH } from "@app/shared/session-times";
import { Stack, TextInput } from "@mantine/core";
import { Form, useServerForm } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useCockpit } from "./cockpit-context.ts";
import { changeOrThrow } from "./use-session-changes.ts";

/** Strikes a locked session that never took place here. */
export function StrikeDialog() {
  const { session, change, show } = useCockpit();
  const form = useServerForm({
    initialValues: { cancelReason: "" },
    validate: ({ cancelReason }): Record<string, string> =>
      hasWord(cancelReason) ? {} : { cancelReason: "Say why it is struck" },
    submit: async ({ cancelReason }, changeId) => {
      const call = { to: "struck" as const, cancelReason };
      await changeOrThrow(change, { changeId, call: (sessions, id) => sessions.move.mutate({ ...id, ...call }) });
      show(null);
    },
  });
  return (
    <Dialog isOpen onClose={() => show(null)} title={`Strike session ${session.number}?`} size="form">
      <Form form={form} label="Strike the session">
        <Stack gap="lg">
          <p>
            Do this only if it never took place in this case. It can still be read, but nothing rests on it any more: no
            certificate, no outcome and no legal aid. Its open tasks are cancelled. This cannot be undone. Where only
            the time, the outcome or who came is wrong, add an amendment instead.
          </p>
          <TextInput
            label="Why is it struck?"
            description="Such as: recorded in the wrong case"
            maxLength={TIME_REASON_MAX_LENGTH}
            {...form.field("cancelReason")}
          />
          <FormFoot isSaving={form.isSaving}>Strike it</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
