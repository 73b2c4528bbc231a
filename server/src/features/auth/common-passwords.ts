// Passwords of twelve characters and more are guessed as well-known words with something added, repeated or run together.
import { normalForm } from "@app/shared/normal-form";

const WORDS = `
password passwort passw0rd passcode admin administrator root user guest login welcome letmein iloveyou loveyou love
monkey dragon master sunshine princess football baseball basketball superman batman shadow michael jordan jennifer
charlie thomas george jessica ashley daniel jordan hunter killer trustno starwars whatever freedom flower cheese
computer internet samsung google facebook secret changeme change test testing temp default qwerty qwertyuiop qwertz
azerty asdfgh asdfghjkl zxcvbn zxcvbnm abc abcd abcdef abcdefgh abcdefghijkl liverpool chelsea arsenal manchester
everton rangers celtic england london summer winter spring autumn january february march april june july august
september october november december monday tuesday wednesday thursday friday saturday sunday hello goodbye mediator
mediation evenhand practice christopher elizabeth alexander victoria catherine nicholas benjamin unbelievable
motherfucker fuckyou thunder thunderstorm snowboarding skateboarding international administration united newcastle
tottenham hotspur westham microsoft windows correcthorsebatterystaple correct horse battery staple money business company office
`
  .trim()
  .split(/\s+/);
const WORDS_LONGEST_FIRST = WORDS.toSorted((a, b) => b.length - a.length);

const RUNS = [
  "01234567890123456789",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "qwertzuiopasdfghjklyxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "1q2w3e4r5t6y7u8i9o0p",
];
const OWN_MIN_LENGTH = 4;
const REST_LETTERS_MAX = 4;
const REST_DIGITS_MAX = 8;
const WORDS_MAX = 2;

const LEET: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

const plain = (text: string) => normalForm(text, "NFKC").toLowerCase();
const letters = (text: string) => plain(text).replace(/[^\p{L}\p{N}]/gu, "");
const unleet = (text: string) => plain(text).replace(/[013457@$!]/g, (sign) => LEET[sign] ?? sign);

/** Whether little is left of a password once the person's own names and one or two well-known words are taken out. */
export function isCommonPassword(password: string, own: string[]): boolean {
  const names = own.map(letters).filter((name) => name.length >= OWN_MIN_LENGTH);
  return [letters(password), letters(unleet(password))].some(
    (text) => isRepetition(text) || isRun(text) || isMadeOfKnown(text, names),
  );
}

function isMadeOfKnown(text: string, names: string[]): boolean {
  const withoutNames = names
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replaceAll(name, " "), text);
  let rest = withoutNames;
  let words = 0;
  for (const word of WORDS_LONGEST_FIRST) {
    if (!rest.includes(word)) continue;
    rest = rest.replaceAll(word, " ");
    words += 1;
  }
  const isAnyKnown = words > 0 || withoutNames !== text;
  const restLetters = rest.replace(/[\d\s]/g, "").length;
  const restDigits = rest.replace(/\D/g, "").length;
  return isAnyKnown && words <= WORDS_MAX && restLetters <= REST_LETTERS_MAX && restDigits <= REST_DIGITS_MAX;
}

/** One piece over and over: aaaaaaaaaaaa, 123123123123. */
const isRepetition = (text: string) => /^(.{1,4})\1+.{0,3}$/u.test(text);

const isRun = (text: string) =>
  RUNS.some((run) => (run + run).includes(text) || Array.from(run).toReversed().join("").includes(text));
