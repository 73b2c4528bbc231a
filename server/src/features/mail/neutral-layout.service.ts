// The layout of a mail made anew: its words as paragraphs, and links that say nothing.
import { convert, type LinkFormatter } from "html-to-text";
import { z } from "zod";
import { escapeHtml } from "@app/shared/rich-text-html";

/** What a link may say. */
export const SAYS_NOTHING = "Open the link";
/** What the product itself writes on links. */
export const STOPS_MAILINGS = "Get no more mailings";

// Signs for private use stand where a link was while the rest becomes text.
const LINK_AT = /\uE000(\d+)\uE001/g;
const SIGNS = /[\uE000\uE001]/g;
const SAFE = /^(https?:|mailto:|tel:)/i;
const BLOCKS = new Set(
  "address article blockquote br center div dl footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table td tr ul".split(
    " ",
  ),
);
const AS_WRITTEN = ["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({
  selector,
  options: { uppercase: false },
}));

export const neutralLayoutSchema = z.object({ html: z.string(), text: z.string() });
export type NeutralLayout = z.infer<typeof neutralLayoutSchema>;

interface Link {
  address: string;
  says: string;
}

/** Pictures and whatever elements say beside their text are left out, and the text of links. */
export function neutralLayout(html: string): NeutralLayout {
  const links: Link[] = [];
  const text = convert(html.replace(SIGNS, ""), {
    wordwrap: false,
    formatters: { link: linkInto(links) },
    selectors: [{ selector: "a", format: "link" }, { selector: "img", format: "skip" }, ...AS_WRITTEN],
  });
  const put = (write: (link: Link) => string) => (_whole: string, index: string) => {
    const link = links[Number(index)];
    return link ? write(link) : "";
  };
  return {
    html: text
      .split(/\n{2,}/)
      .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll("\n", "<br>\n")}</p>`)
      .join("\n")
      .replace(
        LINK_AT,
        put(({ address, says }) => `<a href="${escapeHtml(address)}">${says}</a>`),
      ),
    text: text.replace(
      LINK_AT,
      put(({ address, says }) => `${says}: ${address}`),
    ),
  };
}

/** A link that nobody ended goes on over all that follows: from the first block on that is no part of it. */
const linkInto =
  (links: Link[]): LinkFormatter =>
  (element, walk, builder) => {
    const address = element.attribs["href"]?.trim() ?? "";
    const block = element.children.findIndex(({ name = "" }) => BLOCKS.has(name));
    if (SAFE.test(address)) {
      const [only, ...more] = element.children;
      const isProducts = more.length === 0 && only?.data === STOPS_MAILINGS;
      links.push({ address, says: isProducts ? STOPS_MAILINGS : SAYS_NOTHING });
      builder.addInline(`\uE000${links.length - 1}\uE001`);
    }
    if (block >= 0) walk(element.children.slice(block), builder);
  };
