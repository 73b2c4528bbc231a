import type { Field } from "@app/shared/form-fields";
import { OPTIONS_MAX } from "@app/shared/form-limits";
import { AnswerList } from "./answer-list.tsx";
import { useBuilderContext } from "./builder-context.ts";
import { OptionPicture } from "./option-picture.tsx";
import { addOption, changeOption, moveOption, removeOption } from "./option-edits.ts";

/** The answers to choose from. */
export function QuestionOptions({ field }: { field: Extract<Field, { options: unknown }> }) {
  const { edit } = useBuilderContext();
  return (
    <AnswerList
      title="Answers"
      one="Answer"
      max={OPTIONS_MAX}
      answers={field.options}
      onLabel={(value, label) => edit((form) => changeOption(form, field.id, value, { label }), `${field.id}.${value}`)}
      onAdd={() => edit((form) => addOption(form, field.id))}
      onMove={(value, by) => edit((form) => moveOption(form, field.id, value, by))}
      onRemove={(value) => edit((form) => removeOption(form, field.id, value))}
      onScore={
        field.type === "ranking"
          ? undefined
          : (value, score) =>
              edit((form) => changeOption(form, field.id, value, { score }), `${field.id}.${value}.score`)
      }
      below={
        field.type === "picture_choice"
          ? (value, index) => <OptionPicture field={field} value={value} index={index} />
          : undefined
      }
    />
  );
}
