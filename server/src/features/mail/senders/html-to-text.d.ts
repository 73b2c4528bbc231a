declare module "html-to-text" {
  interface Selector {
    selector: string;
    format?: string;
    options?: { ignoreHref?: boolean };
  }
  export function convert(html: string, options?: { wordwrap?: number | false; selectors?: Selector[] }): string;
}
