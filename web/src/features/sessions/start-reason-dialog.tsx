import { hasWord } from "@app/shared/has-word";
import { Stack } from "@mantine/core";
import { Form, useServerForm } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { UnmetReasonField } from "./unmet-reason-field.tsx";

interface Props {
  /** What the session would go without, as the server asks for it. */
  asked: string;
  onStart: (unmetReason: string) => Promise<void>;
  onClose: () => void;
}

/** A session starts without what was agreed for somebody's safety only with why. */
export function StartReasonDialog({ asked, onStart, onClose }: Props) {
  const form = useServerForm({
    initialValues: { unmetReason: "" },
    validate: ({ unmetReason }) => (hasWord(unmetReason) ? {} : { unmetReason: asked }),
    submit: ({ unmetReason }) => onStart(unmetReason.trim()),
  });
  return (
    <Dialog isOpen onClose={onClose} title="Start without what was agreed?" size="form">
      <Form form={form} label="Start the session">
        <Stack gap="lg">
          <UnmetReasonField
            label="Why does it go without?"
            asked={asked}
            value={form.values.unmetReason}
            error={form.errors["unmetReason"]}
            onChange={(reason) => form.setFieldValue("unmetReason", reason)}
          />
          <FormFoot isSaving={form.isSaving}>Start session</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
