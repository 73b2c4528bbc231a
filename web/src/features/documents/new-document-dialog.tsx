import { hasAnswered } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { CONFIDENCES, type Confidences, confidencesName, usualConfidences } from "@app/shared/confidences";
import { DOCUMENT_RULES, usualPrivilege } from "@app/shared/document-kinds";
import type { TemplateRow } from "@app/shared/document-templates";
import { type Addressee, createDocumentSchema, DOCUMENT_NAME_MAX_LENGTH } from "@app/shared/documents";
import { type Privilege, PRIVILEGE_MEANINGS, PRIVILEGE_NAMES, PRIVILEGES } from "@app/shared/privileges";
import { Button, Checkbox, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { useNewRecord } from "../../core/record-editor.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { addresseesOf } from "./document-words.ts";
import { TemplateSelect } from "./template-select.tsx";
import "./documents.css";

interface Values {
  template: TemplateRow | null;
  name: string;
  addressee: Addressee | null;
  privilege: Privilege;
  isAskedAgain: boolean;
  confidences: Confidences | null;
}

interface Props {
  theCase: Case;
  /** The template that it begins with. */
  template?: TemplateRow;
  onClose: () => void;
}

/** A document of this case, of a template: for whom it is decides what it may say, and who will read it. */
export function NewDocumentDialog({ theCase, template: first, onClose }: Props) {
  const navigate = useNavigate();
  const utils = api.useUtils();
  const creating = api.documents.create.useMutation();
  const form = useNewRecord<Values, { id: string }>({
    initialValues: {
      template: first ?? null,
      name: first?.name ?? "",
      addressee: null,
      privilege: first ? usualPrivilege(first.kind) : "none",
      confidences: null,
      isAskedAgain: false,
    },
    validate: (values) => whyNot(values, theCase),
    create: ({ template, name, addressee, privilege, confidences, isAskedAgain }, id) =>
      creating.mutateAsync({
        id,
        caseId: theCase.id,
        templateId: template?.id ?? "",
        name,
        addressee: addressee ?? { kind: "practice", partyId: null },
        privilege,
        confidences: template?.kind === "agreement_to_mediate" ? confidences : null,
        ...(isAskedAgain && { isAskedAgain }),
      }),
    onCreated: ({ id }) => {
      void Promise.all([utils.documents.list.invalidate(), utils.timeline.invalidate()]);
      void navigate({ to: "/settings/documents/edit/$id", params: { id }, ignoreBlocker: true });
    },
  });
  const { template } = form.values;
  const choose = (chosen: TemplateRow | null) =>
    form.setValues((before) => ({
      ...before,
      template: chosen,
      name: before.name === "" || before.name === before.template?.name ? (chosen?.name ?? "") : before.name,
      addressee: null,
      isAskedAgain: false,
      privilege: chosen ? usualPrivilege(chosen.kind) : "none",
    }));
  return (
    <Dialog isOpen onClose={onClose} title={`New document in ${theCase.caseRef}`} size="form">
      <Form form={form}>
        <div className="template-fields">
          <TemplateSelect
            value={template}
            onChange={choose}
            error={form.errors["template"] ?? form.errors["templateId"]}
          />
          {template && <DocumentFields form={form} template={template} theCase={theCase} />}
        </div>
        <div className="form-foot">
          <Button type="submit" disabled={!template} loading={form.isSaving}>
            Begin the document
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

type NewDocument = ReturnType<typeof useNewRecord<Values, { id: string }>>;

interface FieldsProps {
  form: NewDocument;
  template: TemplateRow;
  theCase: Case;
}

function DocumentFields({ form, template, theCase }: FieldsProps) {
  const { addressee, privilege, confidences } = form.values;
  const choices = addresseesOf(template.kind, theCase);
  const marks = DOCUMENT_RULES[template.kind].privileges;
  const chosen = addressee ? `${addressee.kind} ${addressee.partyId ?? ""}` : "";
  return (
    <>
      <TextInput
        label="Name"
        description="The finished file has it too."
        maxLength={DOCUMENT_NAME_MAX_LENGTH}
        {...form.field("name")}
      />
      <NativeSelect
        label="For whom it is"
        description="It says only what they may read, and the finished file is for them alone."
        data={[{ value: "", label: "Choose" }, ...choices.map(({ value, label }) => ({ value, label }))]}
        value={chosen}
        error={form.errors["addressee"]}
        onChange={({ currentTarget }) =>
          form.setValues((before) => ({
            ...before,
            addressee: choices.find(({ value }) => value === currentTarget.value)?.addressee ?? null,
            isAskedAgain: false,
          }))
        }
      />
      {template.kind === "invitation" && <AskedAgain form={form} theCase={theCase} />}
      {template.kind === "agreement_to_mediate" && (
        <Radio.Group
          label="What it says of confidences"
          description={usualConfidences(theCase.domain)}
          value={confidences}
          error={form.errors["confidences"]}
          onChange={(value) => form.setFieldValue("confidences", CONFIDENCES.find((one) => one === value) ?? null)}
        >
          <Stack gap="sm" mt="xs">
            {CONFIDENCES.map((one) => (
              <Radio key={one} value={one} label={confidencesName(one)} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <NativeSelect
        label="Marked as"
        description={
          marks.length === 1 ? "Documents of this kind are always marked so." : sentence(PRIVILEGE_MEANINGS[privilege])
        }
        disabled={marks.length === 1}
        data={marks.map((value) => ({ value, label: PRIVILEGE_NAMES[value] }))}
        value={privilege}
        onChange={({ currentTarget }) =>
          form.setFieldValue("privilege", PRIVILEGES.find((one) => one === currentTarget.value) ?? privilege)
        }
      />
    </>
  );
}

/** Asked of an invitation for somebody who answered, or came to their first meeting, already. */
function AskedAgain({ form, theCase }: Pick<FieldsProps, "form" | "theCase">) {
  const { addressee, isAskedAgain } = form.values;
  const party = theCase.parties.find(({ partyId }) => partyId === addressee?.partyId);
  if (!party || (party.miamOn === "" && !hasAnswered(party) && !form.errors["isAskedAgain"])) return null;
  const did = party.miamOn === "" ? "has answered already" : "came to their first meeting already";
  return (
    <Checkbox
      label={`${party.label} ${did}, and is invited again all the same`}
      checked={isAskedAgain}
      error={form.errors["isAskedAgain"]}
      aria-invalid={form.errors["isAskedAgain"] !== undefined}
      onChange={({ currentTarget }) => form.setFieldValue("isAskedAgain", currentTarget.checked)}
    />
  );
}

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

const nameSchema = createDocumentSchema.pick({ name: true });

function whyNot(
  { template, name, addressee, confidences }: Values,
  theCase: Case,
): Partial<Record<keyof Values, string>> {
  const isUnchosen = template?.kind === "agreement_to_mediate" && confidences === null && theCase.confidences === null;
  const named = nameSchema.safeParse({ name });
  return {
    ...(template ? {} : { template: "Choose a template" }),
    ...(named.success ? {} : { name: named.error.issues[0]?.message ?? "Give the document a name" }),
    ...(addressee ? {} : { addressee: "Choose for whom it is" }),
    ...(isUnchosen ? { confidences: "Choose what it says of confidences" } : {}),
  };
}
