// The HTML of a mail, written by anybody: only what lays out text is kept, and nothing is loaded from elsewhere.
import sanitizeHtml from "sanitize-html";

const TAGS = `a abbr address b blockquote br caption center cite code col colgroup dd del div dl dt em font h1 h2 h3 h4
  h5 h6 hr i img ins kbd li mark ol p pre q s small span strike strong sub sup table tbody td tfoot th
  thead tr tt u ul`.split(/\s+/);
const COLOUR = /^(#[\da-f]{3,8}|[a-z]{3,20}|rgba?\([\d\s.,%]{1,40}\))$/i;
const LENGTH = /^(-?[\d.]{1,6}(px|em|rem|pt|%)?|auto)(\s+(-?[\d.]{1,6}(px|em|rem|pt|%)?|auto)){0,3}$/i;
const WORD = /^[a-z-]{1,30}$/i;
const BORDER = /^[\w\s#.%-]{1,60}$/;
const STYLES = {
  color: [COLOUR],
  "background-color": [COLOUR],
  "text-align": [WORD],
  "vertical-align": [WORD],
  "font-weight": [/^\w{1,10}$/],
  "font-style": [WORD],
  "font-size": [LENGTH, WORD],
  "font-family": [/^[\w\s,'"-]{1,200}$/],
  "line-height": [LENGTH],
  "text-decoration": [WORD],
  "white-space": [WORD],
  padding: [LENGTH],
  margin: [LENGTH],
  border: [BORDER],
  "border-left": [BORDER],
  "border-collapse": [WORD],
  width: [LENGTH],
  "max-width": [LENGTH],
};
// Raster pictures only: an SVG is a document that can run.
const DATA_IMAGE = /^data:image\/(png|jpe?g|gif|webp);base64,[A-Za-z0-9+/=\s]*$/i;

export interface CleanMail {
  html: string;
  hasRemoteImages: boolean;
}

interface CleanOptions {
  /** Somebody asked to see pictures that lie on other servers. */
  showsRemote: boolean;
  /** The pictures that came with the mail, as data URLs by content id. */
  inline: ReadonlyMap<string, string>;
}

export function cleanHtml(html: string, { showsRemote, inline }: CleanOptions): CleanMail {
  let hasRemoteImages = false;
  const cleaned = sanitizeHtml(html, {
    allowedTags: TAGS,
    allowedAttributes: {
      "*": ["style", "align", "valign", "dir", "lang", "title", "width", "height", "bgcolor", "color"],
      a: ["href", "target", "rel"],
      img: ["src", "alt"],
      table: ["border", "cellpadding", "cellspacing"],
      td: ["colspan", "rowspan", "nowrap"],
      th: ["colspan", "rowspan", "nowrap"],
      ol: ["start", "type"],
      font: ["size", "face"],
    },
    allowedSchemes: ["http", "https", "mailto", "tel"],
    allowedSchemesByTag: { img: ["http", "https", "data"] },
    allowProtocolRelative: false,
    allowedStyles: { "*": STYLES },
    disallowedTagsMode: "discard",
    nonTextTags: ["style", "script", "textarea", "option", "noscript", "title", "head", "template", "svg", "math"],
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, target: "_blank", rel: "noopener noreferrer" } }),
      img: (tagName, { src = "", ...attribs }) => {
        const found = imageSource(src.trim(), inline);
        if (found === "remote") hasRemoteImages = true;
        const shown = found === "remote" ? (showsRemote ? src.trim() : "") : found;
        // A picture that is not shown leaves its words.
        if (!shown) return { tagName: "span", attribs: {}, text: attribs["alt"] ? `[${attribs["alt"]}]` : "" };
        return { tagName, attribs: { ...attribs, src: shown } };
      },
    },
  });
  return { html: cleaned, hasRemoteImages };
}

function imageSource(src: string, inline: ReadonlyMap<string, string>): string {
  if (/^cid:/i.test(src)) return inline.get(decodedId(src.slice("cid:".length))) ?? "";
  if (/^https?:\/\//i.test(src)) return "remote";
  return DATA_IMAGE.test(src) ? src : "";
}

function decodedId(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The page of its own that a mail is shown as, in a frame that may do nothing. */
export const framePage = (html: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Message</title>
<meta name="viewport" content="width=device-width">
<style>
  body { margin: 12px; font: 14px/1.5 system-ui, sans-serif; color: #1d2126; background: #fff; overflow-wrap: anywhere; }
  img, table { max-width: 100%; }
  img { height: auto; }
  pre { white-space: pre-wrap; }
  blockquote { margin: 0 0 0 8px; padding-left: 10px; border-left: 2px solid #c9ced6; }
</style></head><body>${html}</body></html>`;

/** Nothing runs, nothing loads, and the page has no origin; links open outside. */
export const framePolicy = (showsRemote: boolean): string =>
  [
    "default-src 'none'",
    `img-src data:${showsRemote ? " https: http:" : ""}`,
    "style-src 'unsafe-inline'",
    "frame-ancestors 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "sandbox allow-popups allow-popups-to-escape-sandbox",
  ].join("; ");
