import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { type Client, safeNow } from "@app/shared/clients";
import { LINK_DAYS, LINK_DAYS_DEFAULT } from "@app/shared/submission-limits";
import { NOTE_MAX_LENGTH } from "@app/shared/text";
import { Checkbox, NativeSelect, Select, Stack, Textarea } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { makeId } from "../../core/new-id.ts";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";

interface Props {
  client: Client;
  theCase: Case | null;
  onClose: () => void;
}

const SEND = "send";
const COPY = "copy";
const BY_MAIL = { value: SEND, label: "By email from the practice" };
const BY_HAND = { value: COPY, label: "I hand over the link myself" };

/** Picks a published form and gives this client a link of their own to it. */
export function SendFormDialog({ client, theCase, onClose }: Props) {
  const { form, mayMail } = useSendForm({ client, theCase, onClose });
  const isMailable = client.email !== "" && safeNow(client).mayEmail;
  const { formId, isForCase, days, way, words } = form.values;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Send a form to ${client.displayName}`}
      size="form"
      isDirty={form.isDirty()}
    >
      <Form form={form} label="Form to send">
        <Stack gap="lg">
          <PublishedForm
            value={formId}
            error={form.errors["formId"]}
            onChange={(value) => form.setFieldValue("formId", value)}
          />
          {theCase && (
            <Checkbox
              label={`About the case ${theCase.caseRef}`}
              checked={isForCase}
              onChange={(event) => form.setFieldValue("isForCase", event.currentTarget.checked)}
            />
          )}
          <NativeSelect
            label="The link works for"
            value={days}
            data={LINK_DAYS.map((count) => ({ value: String(count), label: `${count} days` }))}
            onChange={(event) => form.setFieldValue("days", event.currentTarget.value)}
          />
          <NativeSelect
            label="How they get it"
            value={way}
            data={mayMail ? [BY_MAIL, BY_HAND] : [BY_HAND]}
            description={
              way === SEND && !isMailable
                ? `${client.displayName} may not be emailed: you get a task that says how to reach them.`
                : undefined
            }
            onChange={(event) => form.setFieldValue("way", event.currentTarget.value)}
          />
          {way === SEND && isMailable && (
            <Textarea
              label="A few words before the link (optional)"
              autosize
              minRows={2}
              maxLength={NOTE_MAX_LENGTH}
              value={words}
              onChange={(event) => form.setFieldValue("words", event.currentTarget.value)}
            />
          )}
          <FormFoot isSaving={form.isSaving}>{way === SEND ? "Send form" : "Make link"}</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

interface PublishedFormProps {
  value: string;
  error: ReactNode;
  onChange: (formId: string) => void;
}

function PublishedForm({ value, error, onChange }: PublishedFormProps) {
  const [search, setSearch] = useState("");
  const choices = api.submissions.forms.useQuery({ search, page: 1 }, { placeholderData: (before) => before });
  return (
    <Select
      label="Form"
      description="Published forms only"
      searchable
      data={(choices.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      nothingFoundMessage="No published form of this name"
      error={error}
      onSearchChange={setSearch}
      onChange={(chosen) => onChange(chosen ?? "")}
    />
  );
}

/** Makes the link and, where it is to be mailed, sends it. */
function useSendForm({ client, theCase, onClose }: Props) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const create = api.submissions.createLink.useMutation();
  const send = api.submissions.sendLink.useMutation();
  const mayMail = can(user, "mail.send");
  const [changeId] = useState(makeId);
  const form = useServerForm({
    initialValues: {
      formId: "",
      isForCase: theCase !== null,
      days: String(LINK_DAYS_DEFAULT),
      way: mayMail ? SEND : COPY,
      words: "",
    },
    validate: ({ formId }) => (formId === "" ? { formId: "Choose a form" } : {}),
    submit: async ({ formId, isForCase, days, way, words }, id) => {
      const lasting = LINK_DAYS.find((known) => String(known) === days) ?? LINK_DAYS_DEFAULT;
      const caseId = isForCase && theCase ? theCase.id : null;
      const link = await create.mutateAsync({ id, formId, clientId: client.id, caseId, days: lasting });
      const { task } = way === SEND ? await send.mutateAsync({ id: link.id, changeId, words }) : link;
      await utils.submissions.invalidate();
      if (way === COPY) notify("The link is there. Copy it from the list");
      else notify(task ? "A task was made: this client may not be emailed" : "The form is on its way");
      onClose();
    },
  });
  return { form, mayMail };
}
