import { Menu } from "@mantine/core";
import { RichTextEditor as Writing } from "@mantine/tiptap";
import { type Editor, useEditorState } from "@tiptap/react";
import { IconTable } from "@tabler/icons-react";

type Chain = ReturnType<Editor["chain"]>;

const IN_TABLE: readonly (readonly [string, (chain: Chain) => Chain])[][] = [
  [
    ["Row above", (chain) => chain.addRowBefore()],
    ["Row below", (chain) => chain.addRowAfter()],
    ["Column before", (chain) => chain.addColumnBefore()],
    ["Column after", (chain) => chain.addColumnAfter()],
  ],
  [
    ["Heading row on or off", (chain) => chain.toggleHeaderRow()],
    ["Join the cells that are selected", (chain) => chain.mergeCells()],
    ["Split the cell", (chain) => chain.splitCell()],
  ],
  [
    ["Take out the row", (chain) => chain.deleteRow()],
    ["Take out the column", (chain) => chain.deleteColumn()],
    ["Take out the table", (chain) => chain.deleteTable()],
  ],
];

/** A new table, or what is done with the one in which somebody writes. Tab goes from cell to cell, and makes a row after the last. */
export function TableTools({ editor }: { editor: Editor }) {
  const { isInTable, isNested } = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      isInTable: now.isActive("table"),
      isNested: now.isActive("listItem") || now.isActive("blockquote"),
    }),
  });
  const insert = () => editor.chain().focus().insertTable({ rows: 3, cols: 3, withHeaderRow: true }).run();
  if (!isInTable)
    return (
      <Writing.Control aria-label="Table" title="Table" disabled={isNested} onClick={insert}>
        <IconTable size={16} stroke={1.7} aria-hidden />
      </Writing.Control>
    );
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Writing.Control aria-label="This table" title="This table" active>
          <IconTable size={16} stroke={1.7} aria-hidden />
        </Writing.Control>
      </Menu.Target>
      <Menu.Dropdown>
        {IN_TABLE.map((group, index) => [
          index > 0 && <Menu.Divider key={`line-${index}`} />,
          ...group.map(([label, act]) => (
            <Menu.Item key={label} onClick={() => act(editor.chain().focus()).run()}>
              {label}
            </Menu.Item>
          )),
        ])}
      </Menu.Dropdown>
    </Menu>
  );
}
