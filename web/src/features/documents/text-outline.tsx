import type { DocumentContent } from "@app/shared/document-content";
import { fieldName } from "@app/shared/document-fields";
import { blocksIn, inlinesOf, wordsOf } from "@app/shared/document-walk";
import type { Editor } from "@tiptap/react";

/** The headings, by which somebody finds their way. */
export function TextOutline({ content, editor }: { content: DocumentContent; editor: Editor }) {
  const headings = [...blocksIn(content.content)].filter((block) => block.type === "heading");
  if (headings.length === 0) return null;
  return (
    <nav aria-label="Outline" className="text-outline">
      <h2>Outline</h2>
      <ol>
        {headings.map((heading, index) => (
          // Two headings may say the same: only their place tells them apart.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} data-level={heading.attrs.level}>
            <button type="button" onClick={() => goTo(editor, index)}>
              {wordsOf(inlinesOf(heading), (path) => `[${fieldName(path)}]`) || "Heading without words"}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function goTo(editor: Editor, index: number): void {
  let seen = 0;
  editor.state.doc.descendants((node, at) => {
    if (node.type.name !== "heading") return true;
    if (seen === index)
      editor
        .chain()
        .focus()
        .setTextSelection(at + 1)
        .scrollIntoView()
        .run();
    seen += 1;
    return false;
  });
}
