// A new page is put in, and whoever goes on writing does so behind it.
import { newId } from "@app/server/core/ids";
import { documentContentSchema } from "@app/shared/document-content";
import { expect, test, vi } from "vitest";
import { insertPageBreak } from "../../../web/src/features/documents/editor-nodes.ts";
import { Paper } from "../../../web/src/features/documents/paper.tsx";
import { draw } from "../page.tsx";

test.each([
  ["at the end", "One", ["paragraph One", "pageBreak ", "paragraph X"]],
  ["in the middle", "OneTwo", ["paragraph One", "pageBreak ", "paragraph XTwo"]],
])("a new page: put in %s, when somebody goes on writing, it stays", (_where, text, written) => {
  const content = documentContentSchema.parse({
    type: "doc",
    content: [{ type: "paragraph", content: [{ type: "text", text }] }],
  });
  const shown = new Array<string>();
  draw(
    <Paper
      textId={newId()}
      content={content}
      label="Text"
      isTemplate={false}
      isReadOnly={false}
      onChange={vi.fn()}
      onRefused={vi.fn()}
      watermark={null}
      mark=""
      frame={(editor) => (
        <button
          onClick={() => {
            editor.commands.setTextSelection(4);
            insertPageBreak(editor);
            editor.commands.command(({ tr, state }) => Boolean(tr.replaceSelectionWith(state.schema.text("X"), false)));
            editor.state.doc.forEach((node) => shown.push(`${node.type.name} ${node.textContent}`));
          }}
        >
          Write
        </button>
      )}
    />,
  );
  document.querySelector("button")?.click();
  expect(shown).toEqual(written);
});
