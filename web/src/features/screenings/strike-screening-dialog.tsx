import { type Screening, STRIKE_REASON_MAX_LENGTH, strikeScreeningSchema } from "@app/shared/screenings";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { validateWith } from "../../core/validate.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useScreeningChanged } from "./use-screening.ts";

interface Props {
  screening: Screening;
  name: string;
  onClose: () => void;
}

const check = validateWith(strikeScreeningSchema);

/** For what was recorded in error, such as of the wrong person: it stays readable, and counts for nothing. */
export function StrikeScreeningDialog({ screening: { id }, name, onClose }: Props) {
  const strike = api.screenings.strike.useMutation();
  const changed = useScreeningChanged();
  const form = useServerForm({
    initialValues: { reason: "" },
    validate: (values) => check({ id, ...values }),
    submit: async ({ reason }) => {
      await strike.mutateAsync({ id, reason });
      await changed();
      notify("The screening is struck");
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={`Strike this screening of ${name}?`}>
      <Form form={form} label="Strike">
        <Stack gap="lg">
          <span>
            Strike it only if it was recorded in error, such as for the wrong person. It can still be read but no longer
            counts: {name} goes back to the step before it, and the safeguarding entry it opened says so. If something
            has changed since, screen them again instead.
          </span>
          <TextInput
            label="Why was it recorded in error?"
            maxLength={STRIKE_REASON_MAX_LENGTH}
            {...form.field("reason")}
          />
          <FormFoot isSaving={form.isSaving} isDestructive>
            Strike the screening
          </FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
