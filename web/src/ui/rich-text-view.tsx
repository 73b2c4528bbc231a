import { type RichText, type RichTextBlock, type RichTextInline, richTextSchema } from "@app/shared/rich-text";
import { Fragment, type ReactNode } from "react";
import "./rich-text.css";

/** A stored text as the page draws it: element by element from the allow-list, never as HTML. */
export function RichTextView({ doc }: { doc: RichText }) {
  const checked = richTextSchema.safeParse(doc);
  if (!checked.success)
    return <p className="quiet-text">This text holds something that is not allowed, so it is not shown.</p>;
  return <div className="rich-text">{(checked.data.content ?? []).map(drawBlock)}</div>;
}

// The parts of a text have no names of their own, and are drawn anew as a whole.
function drawBlock(block: RichTextBlock, index: number): ReactNode {
  switch (block.type) {
    case "paragraph":
      return <p key={index}>{drawInlines(block.content)}</p>;
    case "heading": {
      const Heading = HEADINGS[block.attrs.level];
      return <Heading key={index}>{drawInlines(block.content)}</Heading>;
    }
    case "bulletList":
      return <ul key={index}>{drawItems(block.content)}</ul>;
    case "orderedList":
      return (
        <ol key={index} start={block.attrs?.start ?? 1}>
          {drawItems(block.content)}
        </ol>
      );
    case "blockquote":
      return <blockquote key={index}>{block.content.map(drawBlock)}</blockquote>;
    case "horizontalRule":
      return <hr key={index} />;
  }
}

// A page has its own headings; those of a note stand below them.
const HEADINGS = { 1: "h4", 2: "h5", 3: "h6" } as const;

const drawItems = (items: { content: RichTextBlock[] }[]) =>
  items.map((item, index) => <li key={index}>{item.content.map(drawBlock)}</li>);

const drawInlines = (inlines: RichTextInline[] = []) =>
  inlines.map((inline, index) => (
    <Fragment key={index}>{inline.type === "hardBreak" ? <br /> : drawText(inline)}</Fragment>
  ));

const TAGS = { bold: "strong", italic: "em", underline: "u", strike: "s", code: "code" } as const;

function drawText({ text, marks = [] }: Extract<RichTextInline, { type: "text" }>): ReactNode {
  return marks.reduce<ReactNode>((inner, mark) => {
    if (mark.type === "link")
      return (
        <a href={mark.attrs.href} target="_blank" rel="noopener noreferrer nofollow">
          {inner}
        </a>
      );
    const Tag = TAGS[mark.type];
    return <Tag>{inner}</Tag>;
  }, text);
}
