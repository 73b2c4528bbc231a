import type { Field } from "@app/shared/form-fields";
import { questionName } from "@app/shared/form-words";
import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from "@tabler/icons-react";
import { useBuilderContext } from "./builder-context.ts";
import { duplicateField, moveField } from "./field-edits.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** What can be done with the question that is selected. */
export function CanvasFieldTools({ field }: { field: Field }) {
  const { edit, remove, isReadOnly } = useBuilderContext();
  const name = questionName(field);
  const tools = [
    { label: "Move up", Icon: IconArrowUp, act: () => edit((form) => moveField(form, field.id, -1)) },
    { label: "Move down", Icon: IconArrowDown, act: () => edit((form) => moveField(form, field.id, 1)) },
    { label: "Duplicate", Icon: IconCopy, act: () => edit((form) => duplicateField(form, field.id)) },
    { label: "Take out", Icon: IconTrash, act: () => remove(field.id) },
  ];
  return (
    <div className="canvas-tools" role="group" aria-label={`What to do with ${name}`}>
      {tools.map(({ label, Icon, act }) => (
        <ActionIcon key={label} variant="default" aria-label={label} title={label} disabled={isReadOnly} onClick={act}>
          <Icon {...icon} />
        </ActionIcon>
      ))}
    </div>
  );
}
