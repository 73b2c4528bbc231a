import type { Field } from "@app/shared/form-fields";
import { FIELD_TYPE_NAMES, HELP_MAX_LENGTH, LABEL_MAX_LENGTH, STATEMENT_MAX_LENGTH } from "@app/shared/form-limits";
import { questionName } from "@app/shared/form-words";
import { Button, Switch } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { type RefObject, useEffect, useRef } from "react";
import { useBuilderContext } from "./builder-context.ts";
import { changeQuestion } from "./change-question.ts";
import { LinesField } from "./lines-field.tsx";
import { QuestionOptions } from "./question-options.tsx";
import { type ChangeProps, ReaderFields } from "./reader-fields.tsx";
import { TypeFields } from "./type-fields.tsx";

/** Everything about a question but its rules. */
export function QuestionFields({ field }: { field: Field }) {
  const { edit, content, selection, select, newId } = useBuilderContext();
  const label = useRef<HTMLTextAreaElement>(null);
  const isNew = newId === field.id;
  useEffect(() => {
    if (isNew) label.current?.focus();
  }, [isNew]);
  const change = (how: (one: Field) => Field, about: string | null) =>
    edit((form) => changeQuestion(form, field.id, how), about && `${field.id}.${about}`);
  const group = content.pages.flatMap(({ fields }) => fields).find(({ id }) => id === selection.fieldId);
  return (
    <div className="inspector-fields">
      {selection.innerId !== null && group && (
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconArrowLeft size={14} stroke={1.7} aria-hidden />}
          onClick={() => select({ fieldId: group.id })}
        >
          Back to {questionName(group)}
        </Button>
      )}
      <p className="inspector-type">{FIELD_TYPE_NAMES[field.type]}</p>
      <Words field={field} change={change} label={label} />
      {"options" in field && <QuestionOptions field={field} />}
      <TypeFields field={field} change={change} />
      {"sensitivity" in field && <ReaderFields field={field} change={change} />}
      {"isRequired" in field && (
        <Switch
          label="An answer is needed"
          checked={field.isRequired}
          onChange={({ currentTarget: { checked } }) =>
            change((one) => ("isRequired" in one ? { ...one, isRequired: checked } : one), null)
          }
        />
      )}
    </div>
  );
}

const WORDS_OF = {
  statement: "Text",
  consent: "What people agree to",
  signature: "What is signed",
} as const;

/** What people read of a question. */
const Words = ({ field, change, label }: ChangeProps & { label: RefObject<HTMLTextAreaElement | null> }) => (
  <>
    <LinesField
      ref={label}
      label={field.type === "statement" ? "Heading" : "Question"}
      isOneLine
      maxLength={LABEL_MAX_LENGTH}
      value={field.label}
      onChange={(value) => change((one) => ({ ...one, label: value }), "label")}
    />
    {"help" in field && field.type !== "statement" && (
      <LinesField
        label="Help"
        description="Shown under the question"
        maxLength={HELP_MAX_LENGTH}
        value={field.help}
        onChange={(help) => change((one) => ("help" in one ? { ...one, help } : one), "help")}
      />
    )}
    {(field.type === "statement" || field.type === "consent" || field.type === "signature") && (
      <LinesField
        label={WORDS_OF[field.type]}
        maxLength={STATEMENT_MAX_LENGTH}
        value={field.text}
        onChange={(text) => change((one) => ("text" in one ? { ...one, text } : one), "text")}
      />
    )}
  </>
);
