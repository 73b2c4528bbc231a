import { fieldName, isBlank } from "@app/shared/document-fields";
import { TextInput } from "@mantine/core";
import { type Editor, useEditorState } from "@tiptap/react";

const OTHER_WORDS_MAX = 200;

/** What the field that is selected says where it has no value. */
export function FieldPanel({ editor }: { editor: Editor }) {
  const field = useEditorState({
    editor,
    selector: ({ editor: now }) => {
      if (!now.isActive("mergeField")) return null;
      const { path, fallback } = now.getAttributes("mergeField");
      return { path: String(path), fallback: String(fallback) };
    },
  });
  if (!field || isBlank(field.path)) return null;
  return (
    <section className="field-panel" aria-label="The field that is selected">
      <h2>{fieldName(field.path)}</h2>
      <TextInput
        size="xs"
        label="If it has no value (optional)"
        description="Left empty, the document cannot be finished without it."
        maxLength={OTHER_WORDS_MAX}
        value={field.fallback}
        onChange={({ currentTarget }) =>
          editor.commands.updateAttributes("mergeField", { fallback: currentTarget.value })
        }
      />
    </section>
  );
}
