import type { RichText, RichTextBlock, RichTextInline, RichTextMark } from "./rich-text.ts";

const TAGS = { bold: "strong", italic: "em", underline: "u", strike: "s", code: "code" } as const;

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The text as HTML for a mail: only what the editor's allow-list has, everything else escaped. */
export const richTextHtml = (doc: RichText): string => blocksHtml(doc.content ?? []);

const blocksHtml = (blocks: RichTextBlock[]): string => blocks.map(blockHtml).join("\n");

function blockHtml(block: RichTextBlock): string {
  switch (block.type) {
    case "paragraph":
      return `<p>${inlinesHtml(block.content) || "<br>"}</p>`;
    case "heading":
      return `<h${block.attrs.level}>${inlinesHtml(block.content)}</h${block.attrs.level}>`;
    case "bulletList":
      return `<ul>${block.content.map(({ content }) => `<li>${blocksHtml(content)}</li>`).join("")}</ul>`;
    case "orderedList":
      return `<ol start="${block.attrs?.start ?? 1}">${block.content.map(({ content }) => `<li>${blocksHtml(content)}</li>`).join("")}</ol>`;
    case "blockquote":
      return `<blockquote>${blocksHtml(block.content)}</blockquote>`;
    case "horizontalRule":
      return "<hr>";
  }
}

const inlinesHtml = (inlines: RichTextInline[] = []): string => inlines.map(inlineHtml).join("");

function inlineHtml(inline: RichTextInline): string {
  if (inline.type === "hardBreak") return "<br>";
  return (inline.marks ?? []).reduce(marked, escapeHtml(inline.text));
}

function marked(html: string, mark: RichTextMark): string {
  if (mark.type === "link") return `<a href="${escapeHtml(mark.attrs.href)}">${html}</a>`;
  return `<${TAGS[mark.type]}>${html}</${TAGS[mark.type]}>`;
}
