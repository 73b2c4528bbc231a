import type { Field } from "@app/shared/form-fields";
import { FIELD_TYPE_NAMES, GROUP_FIELDS_MAX } from "@app/shared/form-limits";
import { questionName } from "@app/shared/form-words";
import { Button, NativeSelect } from "@mantine/core";
import { useBuilderContext } from "./builder-context.ts";
import { removeInnerField } from "./field-edits.ts";
import { freeId, idsIn } from "./form-ids.ts";
import { INNER_TYPES, type InnerType, isInnerType, newInnerField } from "./new-field.ts";
import type { ChangeProps } from "./reader-fields.tsx";
import { RowTools } from "./row-tools.tsx";

type Group = Extract<Field, { type: "repeat_group" }>;

/** The questions that are asked for each, such as each child. */
export function GroupFields({ field, change }: ChangeProps<Group>) {
  const { content, edit, select } = useBuilderContext();
  const set = (how: (fields: Group["fields"]) => Group["fields"]) =>
    change((one) => (one.type === "repeat_group" ? { ...one, fields: how(one.fields) } : one), null);
  const remove = (innerId: string) => edit((form) => removeInnerField(form, field.id, innerId));
  const move = (index: number, by: -1 | 1) =>
    set((fields) => {
      const inner = fields[index];
      return inner ? fields.toSpliced(index, 1).toSpliced(index + by, 0, inner) : fields;
    });
  return (
    <div role="group" aria-label="Questions for each" className="answer-list">
      <div className="rule-title">Questions for each</div>
      {field.fields.map((inner, index) => (
        <div key={inner.id} className="answer-row">
          <Button
            size="xs"
            variant="default"
            className="group-question"
            onClick={() => select({ fieldId: field.id, innerId: inner.id })}
          >
            {questionName(inner)}
          </Button>
          <RowTools
            name={questionName(inner)}
            isFirst={index === 0}
            isLast={index === field.fields.length - 1}
            onMove={(by) => move(index, by)}
            onRemove={() => remove(inner.id)}
          />
        </div>
      ))}
      {field.fields.length < GROUP_FIELDS_MAX && (
        <AddInner
          onAdd={(type) => {
            const id = freeId(idsIn(content), type);
            set((fields) => [...fields, newInnerField(type, id)]);
            select({ fieldId: field.id, innerId: id });
          }}
        />
      )}
    </div>
  );
}

const AddInner = ({ onAdd }: { onAdd: (type: InnerType) => void }) => (
  <NativeSelect
    size="xs"
    aria-label="Add a question to the group"
    data={[
      { value: "", label: "Add a question" },
      ...INNER_TYPES.map((value) => ({ value, label: FIELD_TYPE_NAMES[value] })),
    ]}
    value=""
    onChange={({ currentTarget: { value } }) => {
      if (isInnerType(value)) onAdd(value);
    }}
  />
);
