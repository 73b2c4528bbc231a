import type { Field } from "@app/shared/form-fields";
import { LABEL_MAX_LENGTH } from "@app/shared/form-limits";
import type { Condition } from "@app/shared/form-logic";
import { TextInput } from "@mantine/core";
import { useBuilderContext } from "./builder-context.ts";
import { changeQuestion } from "./change-question.ts";
import { readableBefore } from "./readable.ts";
import { Rule } from "./rule.tsx";

/** The rules of a question. */
export function LogicFields({ field }: { field: Field }) {
  const { content, page, edit } = useBuilderContext();
  if (!page) return null;
  const before = readableBefore(content, { pageId: page.id, fieldId: field.id });
  const change = (how: (one: Field) => Field) => edit((form) => changeQuestion(form, field.id, how));
  const show = (visibleIf: Condition | null) => change((one) => ("visibleIf" in one ? { ...one, visibleIf } : one));
  const need = (requiredIf: Condition | null) => change((one) => ("requiredIf" in one ? { ...one, requiredIf } : one));
  return (
    <div className="inspector-fields">
      {"visibleIf" in field && (
        <Rule
          title="Show this question only when"
          add="Show only sometimes"
          condition={field.visibleIf}
          readable={before}
          onChange={show}
        />
      )}
      {"requiredIf" in field && !field.isRequired && (
        <Rule
          title="An answer is needed when"
          add="Ask for an answer only sometimes"
          condition={field.requiredIf}
          readable={before}
          onChange={need}
        />
      )}
      {"flag" in field && <FlagRule field={field} before={before} change={change} />}
      {before.length === 0 && (
        <p className="inspector-hint">Rules ask about questions that come before. There is none before this one.</p>
      )}
    </div>
  );
}

interface FlagProps {
  field: Extract<Field, { flag: unknown }>;
  before: readonly Field[];
  change: (how: (one: Field) => Field) => void;
}

function FlagRule({ field, before, change }: FlagProps) {
  const readable = [...before, field];
  const setWhen = (when: Condition | null) =>
    change((one) =>
      "flag" in one ? { ...one, flag: when && { when, text: one.flag?.text ?? "Ask about this" } } : one,
    );
  return (
    <>
      <Rule
        title="Tell the mediator when"
        add="Tell the mediator"
        condition={field.flag?.when ?? null}
        readable={readable}
        onChange={setWhen}
      />
      {field.flag && (
        <TextInput
          size="xs"
          label="What the mediator reads"
          maxLength={LABEL_MAX_LENGTH}
          error={field.flag.text.trim() === "" && "Write what the mediator reads"}
          value={field.flag.text}
          onChange={({ currentTarget: { value } }) =>
            change((one) => ("flag" in one && one.flag ? { ...one, flag: { ...one.flag, text: value } } : one))
          }
        />
      )}
    </>
  );
}
