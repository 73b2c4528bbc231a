import type { Case } from "@app/shared/cases";
import { mayHold } from "@app/shared/confidences";
import type { ClientMail } from "@app/shared/inbox";
import { caucusOf, PRACTICE_ONLY, type Visibility } from "@app/shared/visibility";
import { Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";
import { notify } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { namesOfParties } from "../notes/note-words.ts";
import { VisibilityPicker } from "../visibility/visibility-picker.tsx";
import type { MailPlace } from "./mail-place.ts";

interface Props {
  place: MailPlace;
  theCase: Case | null;
  attachment: ClientMail["attachments"][number];
  onClose: () => void;
}

/** Keeps an attachment among the files: in its sender's confidence, which the practice keeps, unless another is chosen. */
export function FileAttachmentDialog({ place, theCase, attachment, onClose }: Props) {
  const utils = api.useUtils();
  const file = api.inbox.fileAttachment.useMutation();
  const sender = theCase?.parties.find(({ clientId }) => clientId === place.clientId);
  const theirs = sender ? caucusOf(sender.partyId) : PRACTICE_ONLY;
  const holds = (wanted: Visibility) => theCase === null || mayHold(theCase, wanted);
  const form = useServerForm({
    initialValues: { name: attachment.name, visibility: holds(theirs) ? theirs : PRACTICE_ONLY },
    submit: async (values, id) => {
      await file.mutateAsync({ id, ...place, ...values, part: attachment.part, caseId: theCase?.id ?? null });
      await utils.files.invalidate();
      notify(`${values.name} is now in the Files tab`);
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title="File with the client" size="form">
      <Form form={form} label="File with the client">
        <Stack gap="lg">
          <TextInput label="Name" maxLength={200} {...form.field("name")} />
          <VisibilityPicker
            parties={namesOfParties(theCase)}
            value={form.values.visibility}
            mayHold={holds}
            onChange={(visibility) => form.setFieldValue("visibility", visibility)}
          />
          {form.errors["visibility"] && <FormFailure>{form.errors["visibility"]}</FormFailure>}
          <FormFoot isSaving={form.isSaving}>File it</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}
