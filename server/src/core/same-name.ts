// Whether two names are the same to whoever reads them, however they are typed.
import { foldText } from "@app/shared/text";
import { normalForm } from "@app/shared/normal-form";

/**
 * Letters that look like the Latin one before the colon: of Cyrillic, Greek, Armenian, Cherokee, Lisu and phonetic
 * writing (Unicode Technical Standard 39, confusables).
 */
const LOOKS_LIKE = `
a:аɑαᴀꓮᎪ b:вьƄβʙᏼᏴꓐᖯ c:сϲᴄꓚᏟ d:ԁɗժᴅᎠꓓ e:еєεɛҽᴇꓰᎬ f:ғſƒꜰꓝϝ g:ɡԍɢցᎶꓖ h:һнհʜᎻꓧη i:іıɩιɪꓲӏᎥᎢꭵ
j:јϳյᴊᎫꓙ k:кκᴋᏦꓗ l:ʟᏞꓡⅼǀ m:мᴍᎷꓟμ n:ппɴꓠոν o:оοσօᴏꓳɵ p:рρᴘᏢꓑ q:ԛզ r:гʀᎡꓣɾ s:ѕꜱʂᏚꓢ t:тτᴛꓔŧ
u:υսʋᴜꓴ v:ѵᴠᏙꓦ w:ѡԝաᴡᎳꓪω x:хχᏅꓫ y:уүγʏꓬỿ z:ᴢᏃꓜʐ
`;
const latinOf = new Map(
  LOOKS_LIKE.trim()
    .split(/\s+/)
    .flatMap((group) => Array.from(group.slice(2), (letter) => [letter.toLowerCase(), group.slice(0, 1)] as const)),
);

/** Signs that a glance cannot tell apart in most typefaces. */
const AT_A_GLANCE = { i: "l", "1": "l", "|": "l", "0": "o" } as const;
const glance = new Map<string, string>(Object.entries(AT_A_GLANCE));

/** A name without what the eye passes over: two people of a practice never have the same. */
export function nameKey(firstName: string, lastName: string): string {
  const letters = foldText(normalForm(`${firstName}${lastName}`, "NFKC")).replace(/[^\p{L}\p{N}|]/gu, "");
  return Array.from(letters, (letter) => {
    const latin = latinOf.get(letter) ?? letter;
    return glance.get(latin) ?? latin;
  })
    .join("")
    .replaceAll("rn", "m")
    .replaceAll("vv", "w");
}

/** A number of a register without its spaces, dots and dashes. */
export const numberKey = (number: string): string =>
  normalForm(number, "NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
