import { convert } from "html-to-text";

const TEXT_WIDTH = 78;

/** For whoever reads mail without its looks. */
export const textOfHtml = (html: string): string => convert(html, { wordwrap: TEXT_WIDTH });
