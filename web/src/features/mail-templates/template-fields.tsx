import type { MailTemplate } from "@app/shared/mail-templates";
import { EMPTY_RICH_TEXT, type RichText } from "@app/shared/rich-text";
import { Input, Skeleton, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { useServerForm } from "../../core/form.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { later } from "../../ui/later.tsx";

const ComposeEditor = later(
  async () => (await import("../compose/compose-editor.tsx")).ComposeEditor,
  <Skeleton h={190} />,
);

export interface TemplateValues extends Pick<MailTemplate, "name" | "subject"> {
  /** Null where it is too long. */
  body: RichText | null;
}

export const checkTemplate = ({ body }: TemplateValues): Record<string, string> =>
  body ? {} : { body: "This text is too long. Shorten it." };

export const writtenOf = ({ body, ...values }: TemplateValues) => ({ ...values, body: body ?? EMPTY_RICH_TEXT });

interface Props {
  form: Pick<
    ReturnType<typeof useServerForm<TemplateValues>>,
    "field" | "values" | "setFieldValue" | "errors" | "isSaving"
  >;
}

export function TemplateFields({ form }: Props) {
  return (
    <Stack gap="md">
      <TextInput label="Name" maxLength={80} {...form.field("name")} />
      <TextInput
        label="Subject"
        description="Use neutral words: somebody who sees only the subject should learn nothing."
        maxLength={200}
        {...form.field("subject")}
      />
      <BodyField value={form.values.body} onChange={(body) => form.setFieldValue("body", body)} />
      {form.errors["body"] && <Input.Error>{form.errors["body"]}</Input.Error>}
      <FormFoot isSaving={form.isSaving}>Save template</FormFoot>
    </Stack>
  );
}

interface BodyProps {
  value: RichText | null;
  onChange: (body: RichText | null) => void;
}

function BodyField({ value, onChange }: BodyProps) {
  const [shown, setShown] = useState({ key: 0, initial: value, typed: value });
  // The editor keeps its own text: what comes from elsewhere, such as a newer version, begins it anew.
  if (value !== shown.typed) setShown({ key: shown.key + 1, initial: value, typed: value });
  return (
    <ComposeEditor
      key={shown.key}
      initial={shown.initial ?? EMPTY_RICH_TEXT}
      label="Text of the template"
      values={null}
      onChange={(body) => {
        setShown({ ...shown, typed: body });
        onChange(body);
      }}
    />
  );
}
