// The HTML of a mail, written by anybody: only what lays out text is kept, and nothing is loaded from elsewhere.
import sanitizeHtml from "sanitize-html";
import { TooMuch } from "../../core/foreign-work.ts";

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
// Nobody lays out a text so deep; a parser takes the square of it in time.
const DEPTH_MAX = 500;

export interface CleanMail {
  html: string;
  hasRemoteImages: boolean;
  /** The content ids of the pictures that stand in it. */
  inlineIds: string[];
}

interface CleanOptions {
  /** Somebody asked to see pictures that lie on other servers. */
  showsRemote: boolean;
  /** The pictures that came with the mail, as data URLs by content id. */
  inline: Readonly<Record<string, string>>;
}

/** Throws TooMuch where elements stand in each other too deep. */
export function cleanHtml(html: string, { showsRemote, inline }: CleanOptions): CleanMail {
  let hasRemoteImages = false;
  let depth = 0;
  const inlineIds = new Set<string>();
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
    onOpenTag: () => {
      depth += 1;
      if (depth > DEPTH_MAX) throw new TooMuch("too deep");
    },
    onCloseTag: () => {
      depth -= 1;
    },
    transformTags: {
      a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, target: "_blank", rel: "noopener noreferrer" } }),
      img: (tagName, { src = "", ...attribs }) => {
        const id = contentIdIn(src.trim());
        if (id) inlineIds.add(id);
        const found = id ? (Object.hasOwn(inline, id) && inline[id]) || "" : imageSource(src.trim());
        if (found === "remote") hasRemoteImages = true;
        const shown = found === "remote" ? (showsRemote ? src.trim() : "") : found;
        // A picture that is not shown leaves its words.
        if (!shown) return { tagName: "span", attribs: {}, text: attribs["alt"] ? `[${attribs["alt"]}]` : "" };
        return { tagName, attribs: { ...attribs, src: shown } };
      },
    },
  });
  return { html: cleaned, hasRemoteImages, inlineIds: [...inlineIds] };
}

const contentIdIn = (src: string): string => (/^cid:/i.test(src) ? decodedId(src.slice("cid:".length)) : "");

function imageSource(src: string): string {
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
