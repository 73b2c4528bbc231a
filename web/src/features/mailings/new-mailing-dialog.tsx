import type { MailingSource } from "@app/shared/mailings";
import { MAILING_CSV_MAX_LENGTH } from "@app/shared/mailings";
import { MAILING_FIELDS } from "@app/shared/mailing-fields";
import { EMPTY_RICH_TEXT, isEmptyRichText, type RichText } from "@app/shared/rich-text";
import { Button, FileButton, Group, NativeSelect, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { ComposeEditor } from "../compose/compose-editor.tsx";
import { MailingSender } from "./mailing-sender.tsx";

const PACES = [
  { value: "20", label: "20 a minute, gentle" },
  { value: "60", label: "60 a minute, usual" },
  { value: "300", label: "300 a minute, strong server" },
  { value: "0", label: "As fast as the mail server takes them" },
];
const GROUPS = [
  { value: "active", label: "All clients" },
  { value: "archived", label: "Archived clients" },
  { value: "csv", label: "A list of addresses (CSV)" },
];

interface Props {
  /** Clients that were selected; a group is chosen here where left out. */
  clientIds?: readonly string[];
  onClose: () => void;
}

interface Values {
  subject: string;
  /** Null where it is too long. */
  body: RichText | null;
  perMinute: string;
  group: string;
  csv: string;
  source: string;
}

/** Writes a mailing; nothing is sent before who gets it has been seen. */
export function NewMailingDialog(props: Props) {
  const { clientIds, onClose } = props;
  const [list, setList] = useState<AddressList | null>(null);
  const form = useNewMailing(props, list);
  return (
    <Dialog isOpen onClose={onClose} title="Write to many" size="form">
      <Form form={form} label="Mailing">
        <Stack gap="lg">
          <MailingSender />
          {clientIds ? (
            <p className="quiet-text mailing-to">
              To {clientIds.length === 1 ? "1 client" : `${clientIds.length} clients`}. Everybody gets a mail of their
              own. You see who is left out, and why, before anything is sent.
            </p>
          ) : (
            <NativeSelect
              label="To"
              data={form.values.group === "" ? [{ value: "", label: "Choose" }, ...GROUPS] : GROUPS}
              {...form.field("group")}
            />
          )}
          {!clientIds && form.values.group === "csv" && (
            <ListField list={list} onList={setList} error={form.field("csv").error} />
          )}
          <TextInput label="Subject" data-autofocus maxLength={150} {...form.field("subject")} />
          <BodyField error={form.errors["body"]} onChange={(body) => form.setFieldValue("body", body)} />
          <NativeSelect label="How fast" data={PACES} {...form.field("perMinute")} />
          {form.field("source").error && <p className="mailing-error">{form.field("source").error}</p>}
          <FormFoot isSaving={form.isSaving}>See who gets it</FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

interface AddressList {
  name: string;
  csv: string;
}

/** Prepares the mailing, and leads to who would get it. */
function useNewMailing({ clientIds, onClose }: Props, list: AddressList | null) {
  const navigate = useNavigate();
  const utils = api.useUtils();
  const create = api.mailings.create.useMutation();
  return useServerForm<Values>({
    initialValues: { subject: "", body: EMPTY_RICH_TEXT, perMinute: "60", group: "", csv: "", source: "" },
    validate: ({ subject, body, group }) => ({
      ...(group === "" && !clientIds ? { group: "Choose who gets it" } : {}),
      ...(subject.trim() === "" ? { subject: "Enter a subject" } : {}),
      ...(body && isEmptyRichText(body) ? { body: "Write a text." } : {}),
      ...(body === null ? { body: "This text is too long for a mail. Shorten it." } : {}),
      ...(group === "csv" && !list && !clientIds ? { csv: "Choose the file with the addresses." } : {}),
    }),
    submit: async ({ subject, body, perMinute, group }, newId) => {
      const { id } = await create.mutateAsync({
        id: newId,
        subject,
        body: body ?? EMPTY_RICH_TEXT,
        perMinute: Number(perMinute),
        source: sourceOf(clientIds, group, list?.csv ?? ""),
      });
      await utils.mailings.invalidate();
      onClose();
      await navigate({ to: "/email-settings", search: { tab: "mailings", mailing: id } });
    },
  });
}

interface BodyProps {
  error: string | undefined;
  onChange: (body: RichText | null) => void;
}

const BodyField = ({ error, onChange }: BodyProps) => (
  <div className="mailing-body">
    <ComposeEditor
      initial={EMPTY_RICH_TEXT}
      label="Text of the mail"
      values={null}
      fields={MAILING_FIELDS}
      onChange={onChange}
    />
    {error && <p className="mailing-error">{error}</p>}
    <p className="quiet-text">A line with a link to get no more mailings is added.</p>
  </div>
);

function sourceOf(clientIds: readonly string[] | undefined, group: string, csv: string): MailingSource {
  if (clientIds) return { kind: "clients", clientIds: [...clientIds] };
  if (group === "csv") return { kind: "csv", csv };
  return { kind: "filter", filter: { status: group === "archived" ? "archived" : "active" } };
}

interface ListFieldProps {
  list: AddressList | null;
  onList: (list: AddressList) => void;
  error: string | undefined;
}

function ListField({ list, onList, error }: ListFieldProps) {
  const [failure, setFailure] = useState("");
  async function take(file: File | null) {
    if (!file) return;
    if (file.size > MAILING_CSV_MAX_LENGTH) return setFailure("This list is too long. Send it in parts.");
    setFailure("");
    onList({ name: file.name, csv: await file.text() });
  }
  return (
    <div className="mailing-list-field">
      <Group gap="sm">
        <FileButton accept=".csv,.txt,.tsv" onChange={(file) => void take(file)}>
          {(props) => (
            <Button variant="default" {...props}>
              {list ? "Choose another file" : "Choose a file"}
            </Button>
          )}
        </FileButton>
        {list && <span>{list.name}</span>}
      </Group>
      <p className="quiet-text">
        CSV with a column “value” or “email” for the address and one “label” or “name” for the name.
      </p>
      {(failure || error) && <p className="mailing-error">{failure || error}</p>}
    </div>
  );
}
