// What the paragraphs of a Word document of ours are called: by these names they are known when it comes back.

/** By their ids; Word knows those of its own under these names in every language. */
export const STYLES = {
  item: "ListParagraph",
  quote: "Quote",
  rule: "HorizontalLine",
  part: "TemplatePart",
  tableHead: "TableHeading",
  gap: "TableGap",
  privilege: "PrivilegeRule",
  code: "Code",
} as const;

export const STYLE_NAMES = {
  quote: "Quote",
  rule: "Horizontal Line",
  part: "Template Part",
  tableHead: "Table Heading",
  /** Between two tables, which would be one. */
  gap: "Table Gap",
  /** What its mark means, which is no part of the text. */
  privilege: "Privilege Rule",
  code: "Code",
} as const;

/** As many as Word has. */
export const LEVELS_MAX = 9;

export const continueStyle = (level: number): string => `ListContinue${level === 0 ? "" : level + 1}`;
/** Word has five of them under these names. */
export const continueName = (level: number): string => `List Continue${level === 0 ? "" : ` ${level + 1}`}`;
