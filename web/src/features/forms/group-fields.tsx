import type { Field } from "@app/shared/form-fields";
import { FIELD_TYPE_NAMES, GROUP_FIELDS_MAX } from "@app/shared/form-limits";
import { questionName } from "@app/shared/form-words";
import { ActionIcon, Button, NativeSelect } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconTrash } from "@tabler/icons-react";
import { useBuilderContext } from "./builder-context.ts";
import { freeId, idsIn } from "./form-ids.ts";
import { INNER_TYPES, isInnerType, newInnerField } from "./new-field.ts";
import type { ChangeProps } from "./reader-fields.tsx";
import { forgetFields } from "./rule-edits.ts";

type Group = Extract<Field, { type: "repeat_group" }>;
const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

/** The questions that are asked for each, such as each child. */
export function GroupFields({ field, change }: ChangeProps<Group>) {
  const { content, edit, select } = useBuilderContext();
  const set = (how: (fields: Group["fields"]) => Group["fields"]) =>
    change((one) => (one.type === "repeat_group" ? { ...one, fields: how(one.fields) } : one), null);
  const remove = (id: string) =>
    edit((form) => {
      const pages = form.pages.map((page) => ({
        ...page,
        fields: page.fields.map((one) =>
          one.id === field.id && one.type === "repeat_group"
            ? { ...one, fields: one.fields.filter((inner) => inner.id !== id) }
            : one,
        ),
      }));
      return forgetFields({ ...form, pages }, [id]);
    });
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
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${questionName(inner)} up`}
            disabled={index === 0}
            onClick={() => move(index, -1)}
          >
            <IconArrowUp {...icon} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Move ${questionName(inner)} down`}
            disabled={index === field.fields.length - 1}
            onClick={() => move(index, 1)}
          >
            <IconArrowDown {...icon} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Take ${questionName(inner)} out`}
            onClick={() => remove(inner.id)}
          >
            <IconTrash {...icon} />
          </ActionIcon>
        </div>
      ))}
      {field.fields.length < GROUP_FIELDS_MAX && (
        <NativeSelect
          size="xs"
          aria-label="Add a question to the group"
          data={[
            { value: "", label: "Add a question" },
            ...INNER_TYPES.map((value) => ({ value, label: FIELD_TYPE_NAMES[value] })),
          ]}
          value=""
          onChange={({ currentTarget: { value } }) => {
            if (!isInnerType(value)) return;
            const id = freeId(idsIn(content), value);
            set((fields) => [...fields, newInnerField(value, id)]);
            select({ fieldId: field.id, innerId: id });
          }}
        />
      )}
    </div>
  );
}
