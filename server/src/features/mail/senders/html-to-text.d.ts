declare module "html-to-text" {
  interface Selector {
    selector: string;
    format?: string;
    options?: { ignoreHref?: boolean; uppercase?: boolean };
  }
  interface Node {
    name?: string;
    data?: string;
    attribs: Record<string, string>;
    children: Node[];
  }
  interface Builder {
    addInline(text: string): void;
  }
  export type LinkFormatter = (
    element: Node,
    walk: (nodes: Node[], builder: Builder) => void,
    builder: Builder,
  ) => void;
  interface Options {
    wordwrap?: number | false;
    preserveNewlines?: boolean;
    selectors?: Selector[];
    formatters?: Record<string, LinkFormatter>;
  }
  export function convert(html: string, options?: Options): string;
}
