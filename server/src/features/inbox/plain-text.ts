import { convert } from "html-to-text";

/** A mail of HTML as plain text: without pictures, and without the addresses behind links. */
export const plainText = (html: string): string =>
  convert(html, {
    wordwrap: false,
    selectors: [
      { selector: "img", format: "skip" },
      { selector: "a", options: { ignoreHref: true } },
    ],
  });
