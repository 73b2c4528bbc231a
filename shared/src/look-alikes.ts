import { normalForm } from "./normal-form.ts";

// What looks like a Latin letter, or two of them, among the Latin, Greek, Cyrillic and Armenian letters: of Unicode's
// confusables (UTS 39, confusables.txt), and besides what people take digits, phonetic signs and small capitals for.
// Capitals stand beside small letters, because some look like other letters than their small ones do.
const LOOK_ALIKES: [letters: string, signs: string][] = [
  ["a", "ɑαаΑАẚ4@ᴀ"],
  ["aa", "ꜳꜲ"],
  ["ae", "æӕÆӔ"],
  ["ao", "ꜵꜴ"],
  ["au", "ꜷꜶ"],
  ["av", "ꜹꜻꜸꜺ"],
  ["ay", "ꜽꜼ"],
  ["b", "ƄЬꞴΒВɓƃƂБƀҍҌѣѢ"],
  ["bl", "Ы"],
  ["c", "ᴄϲсϹСȼҫҪ"],
  ["d", "ԁɗɖƌđĐÐƉᴅ"],
  ["dz", "ʣ"],
  ["e", "ꬲеҽΕЕɇɆҿ3€℮єεᴇɛəǝ"],
  ["f", "ꬵꞙẝքꞘϜƒƑᵮ"],
  ["g", "ɡᶃƍցԌɠǥǤ"],
  ["h", "һհΗНᵸɦꚕⱧҢħћĦӉӇҺнʜ"],
  ["i", "ıɪɩιͺіꙇӏɨᵻᵼ"],
  ["j", "ϳјꞲͿЈɉɈ"],
  ["k", "ΚКƙⱩҚꝀҞ"],
  ["l", "ƖǀΙІӀłŁɭƗƚɫ1"],
  ["ll", "ǁ"],
  ["lo", "Ю"],
  ["ls", "ʪ"],
  ["lz", "ʫ"],
  ["m", "ΜϺМӍ"],
  ["n", "ոռΝɳƞηƝᵰпиɴŋ"],
  ["o", "ᴏᴑꬽοσоօΟОՕøꬾØɵꝋөѳƟꝊθΘӨѲ0"],
  ["oe", "œŒ"],
  ["oo", "ꝏꚙꝎꚘ"],
  ["p", "ρрΡРƥᵽ"],
  ["q", "ԛգզʠ"],
  ["r", "ꭇꭈᴦгƦɽɼɍғᵲ"],
  ["rn", "ɱᵯ"],
  ["s", "ꜱƽѕЅՏʂᵴ"],
  ["t", "ΤТƭȾƮҬŧŦᵵ"],
  ["tf", "ꝷ"],
  ["ts", "ʦ"],
  ["u", "ꞟᴜꭎꭒʋυսՍᵾɄ"],
  ["ue", "ᵫ"],
  ["uo", "ꭣ"],
  ["v", "ᴠνѵѴ∨⋁ʋ"],
  ["w", "ɯᴡѡԝաԜѽꝡ"],
  ["x", "хꞳΧХҲ"],
  ["y", "ɣᶌʏỿꭚγуүΥУҮƴɏұɎҰ"],
  ["z", "ᴢΖʐƶƵȥȤᵶ"],
];
const LETTERS = new Map(
  LOOK_ALIKES.flatMap(([letters, signs]) => Array.from(signs, (sign) => [sign, letters] as const)),
);
const PAIRS: Record<string, string> = { cl: "d", rn: "m", vv: "w" };

/** As it looks at a glance: in Latin letters, without case, accents, blanks and what stands between letters. */
export const atAGlance = (text: string): string =>
  Array.from(normalForm(normalForm(text, "NFKC"), "NFD"), (sign) => LETTERS.get(sign) ?? sign)
    .join("")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/cl|rn|vv/g, (pair) => PAIRS[pair] ?? pair);
