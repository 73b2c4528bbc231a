import { FORM_KINDS, type FormKind } from "@app/shared/form-kinds";
import { FORM_KIND_NAMES } from "@app/shared/form-limits";
import { blankContent, contentOf, kindOf, templatesOf } from "@app/shared/form-templates/form-templates";
import { type CreateForm, createFormSchema, FORM_NAME_MAX_LENGTH } from "@app/shared/forms";
import { REGIONS } from "@app/shared/regions";
import { Button, NativeSelect, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { validateWith } from "../../core/validate.ts";
import "./forms.css";

interface Props {
  isLead: boolean;
  onMade: (id: string) => void;
}

const BLANK = "blank";

/** What a new form begins with, and what it is called. */
export function NewForm({ isLead, onMade }: Props) {
  const { region } = useCurrentUser();
  const utils = api.useUtils();
  const creating = api.forms.create.useMutation();
  const [begin, setBegin] = useState("");
  const templates = templatesOf(isLead);
  const { currency } = REGIONS[region];
  const form = useServerForm<CreateForm>({
    initialValues: { name: "", kind: kindOf(isLead), content: blankContent("", currency) },
    validate: validateWith(createFormSchema),
    async submit(values, id) {
      const made = await creating.mutateAsync({ ...values, id });
      utils.forms.get.setData({ id: made.id }, made);
      void utils.forms.list.invalidate();
      onMade(made.id);
    },
  });
  const choose = (chosen: string) => {
    setBegin(chosen);
    const template = templates.find(({ id }) => id === chosen);
    const name = template?.name ?? "";
    form.setValues((before) => {
      const isOfTemplate = before.name === "" || templates.some((one) => one.name === before.name);
      const kept = isOfTemplate ? name : before.name;
      return {
        ...before,
        name: kept,
        kind: template?.kind ?? kindOf(isLead),
        content: template ? contentOf(template, currency) : blankContent(kept, currency),
      };
    });
  };
  const name = form.field("name");
  return (
    <Form form={form}>
      <BeginWith templates={templates} value={begin} onChange={choose} />
      {begin !== "" && (
        <div className="new-form-fields">
          <TextInput label="Name" description="For the practice only" maxLength={FORM_NAME_MAX_LENGTH} {...name} />
          {begin === BLANK && !isLead && (
            <KindField value={form.values.kind} onChange={(kind) => form.setFieldValue("kind", kind)} />
          )}
        </div>
      )}
      <div className="form-foot">
        <Button type="submit" disabled={begin === ""} loading={form.isSaving}>
          Make the form
        </Button>
      </div>
    </Form>
  );
}

const kindsOffered: readonly FormKind[] = FORM_KINDS.filter((kind) => kind !== "lead");

interface KindFieldProps {
  value: FormKind;
  onChange: (kind: FormKind) => void;
}

const KindField = ({ value, onChange }: KindFieldProps) => (
  <NativeSelect
    label="Kind"
    data={kindsOffered.map((kind) => ({ value: kind, label: FORM_KIND_NAMES[kind] }))}
    value={value}
    onChange={({ currentTarget }) => onChange(kindsOffered.find((one) => one === currentTarget.value) ?? value)}
  />
);

interface BeginWithProps {
  templates: ReturnType<typeof templatesOf>;
  value: string;
  onChange: (chosen: string) => void;
}

const BeginWith = ({ templates, value, onChange }: BeginWithProps) => (
  <Radio.Group label="Begin with" value={value} onChange={onChange}>
    <Stack gap={8} mt={4}>
      {templates.map(({ id, name, about }) => (
        <Radio key={id} value={id} label={name} description={about} />
      ))}
      <Radio value={BLANK} label="A blank form" description="One empty page, to which you add your own questions." />
    </Stack>
  </Radio.Group>
);
