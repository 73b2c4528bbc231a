// Which texts let their reader in, however they are written: with a link of the product to a reset or an invitation. A
// link that hides behind another one nobody can recognise: see inbox/access-mail.service.ts.
import { someLayer } from "../../core/wrapped-words.ts";

const LETS_IN = /(?:resetpassword|setup|register)\/?[?#][^\s"'<>]{0,300}?token=/i;

/** Whether a text or a layout lets its reader in: not every service lets us name the mail that it sends. */
export const letsSomebodyIn = (text: string): boolean => someLayer(text, letsInPlainly);

/** The same of one layer of it. */
export const letsInPlainly = (layer: string): boolean => LETS_IN.test(layer);
