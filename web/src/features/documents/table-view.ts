import { TableView } from "@tiptap/extension-table";
import type { Node } from "@tiptap/pm/model";

/** A table whose columns keep their shares where its place is narrower than they were drawn: inside a part, or a list. */
export class SharedWidthTableView extends TableView {
  constructor(...about: ConstructorParameters<typeof TableView>) {
    super(...about);
    shareWidths(this.colgroup);
  }

  override update(node: Node): boolean {
    const isSame = super.update(node);
    if (isSame) shareWidths(this.colgroup);
    return isSame;
  }
}

function shareWidths(colgroup: HTMLTableColElement): void {
  const columns = [...colgroup.querySelectorAll("col")];
  const widths = columns.map(({ style }) => (style.width.endsWith("px") ? Number.parseFloat(style.width) : null));
  if (widths.includes(null)) return;
  const whole = widths.reduce<number>((sum, width) => sum + (width ?? 0), 0);
  for (const [at, column] of columns.entries()) column.style.width = `${((widths[at] ?? 0) / whole) * 100}%`;
}
