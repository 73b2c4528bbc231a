import type { Doc, Value } from "../values.ts";
import { docOf } from "../bson/doc-of.ts";
import { badValue, located, typeMismatch, unsupported } from "../bson/fail.ts";
import { asNumber } from "../bson/numbers.ts";
import { compareStrings } from "./compare.ts";

export type Collation = {
  locale: string;
  strength: number;
  caseLevel: boolean;
  numericOrdering: boolean;
  compare: (left: string, right: string) => number;
  /** Two strings are equal under the collation exactly when their folded forms are the same. */
  fold: (text: string) => string;
  /** The specification with every default written out, as listIndexes prints it. */
  spec: Doc;
};

const SENSITIVITY = new Map<number, "base" | "accent" | "variant">([
  [1, "base"],
  [2, "accent"],
  [3, "variant"],
]);
const DEFAULTS = docOf({
  locale: "simple",
  caseLevel: false,
  caseFirst: "off",
  strength: 3,
  numericOrdering: false,
  alternate: "non-ignorable",
  maxVariable: "punct",
  normalization: false,
  backwards: false,
  version: "57.1",
});
const FOLDS_KEPT = 10_000;

/** The collation that a specification describes; undefined for none and for "simple", which is byte order. */
export function parseCollation(given: Doc | undefined): Collation | undefined {
  if (!given) return undefined;
  const spec = withDefaults(given);
  const locale = spec.get("locale");
  if (typeof locale !== "string" || !given.has("locale"))
    throw located(40414, "BSON field 'collation.locale' is missing but a required field");
  if (locale === "simple") return undefined;
  const strength = asNumber(spec.get("strength"));
  const caseLevel = spec.get("caseLevel") === true;
  const numericOrdering = spec.get("numericOrdering") === true;
  const collator = openCollator(locale, {
    sensitivity: strength === 1 && caseLevel ? "case" : SENSITIVITY.get(strength),
    numeric: numericOrdering,
    caseFirst: caseFirst(spec.get("caseFirst")),
  });
  const fold = foldWith(collator, numericOrdering);
  return {
    locale,
    strength,
    caseLevel,
    numericOrdering,
    fold,
    compare(left, right) {
      if (left === right) return 0;
      const a = fold(left);
      const b = fold(right);
      return a === b ? 0 : collator.compare(left, right) || compareStrings(a, b);
    },
    spec,
  };
}

function withDefaults(given: Doc): Doc {
  const unknown = given.keys().find((name) => !DEFAULTS.has(name));
  if (unknown !== undefined) throw located(40415, `BSON field 'collation.${unknown}' is an unknown field.`);
  const strength = given.has("strength") ? asNumber(given.get("strength")) : 3;
  const spec = new Map([...DEFAULTS, ...given]).set("strength", strength);
  const wrong = spec.keys().find((name) => typeof spec.get(name) !== typeof DEFAULTS.get(name));
  if (wrong !== undefined) throw typeMismatch(`BSON field 'collation.${wrong}' is the wrong type`);
  if (!Number.isInteger(strength) || strength < 1 || strength > 5)
    throw badValue("collation strength must be an integer from 1 to 5");
  if (!SENSITIVITY.has(strength)) throw unsupported(`collation strength ${strength}`);
  if (strength === 2 && spec.get("caseLevel") === true) throw unsupported("collation caseLevel with strength 2");
  if (spec.get("alternate") !== "non-ignorable") throw unsupported("collation alternate 'shifted'");
  if (spec.get("backwards") === true) throw unsupported("collation backwards");
  return spec;
}

const caseFirst = (value: Value) => (value === "upper" || value === "lower" ? value : "false");

function openCollator(locale: string, options: Intl.CollatorOptions): Intl.Collator {
  const tag = locale.replaceAll("_", "-");
  const isKnown =
    /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i.test(tag) && Intl.Collator.supportedLocalesOf([tag]).length > 0;
  if (!isKnown) throw badValue(`Field 'locale' is invalid in: { locale: "${locale}" }`);
  return new Intl.Collator(tag, options);
}

/**
 * Each character with its marks is replaced by the plainest form that the collator calls equal. Asking the collator
 * keeps what is a letter of its own in the locale, such as the Swedish ä at strength 1.
 */
function foldWith(collator: Intl.Collator, isNumeric: boolean): (text: string) => string {
  const known = new Map<string, string>();
  const upperCases = collator.compare("a", "A") === 0;
  const foldCluster = (cluster: string): string => {
    const kept = known.get(cluster);
    if (kept !== undefined) return kept;
    const plain = cluster.normalize("NFKD");
    const bare = plain.replaceAll(/\p{M}/gu, "");
    const candidates = [bare.toUpperCase(), plain.toUpperCase(), bare, plain, cluster.normalize("NFC")];
    const folded = candidates.find((form) => form !== "" && collator.compare(form, cluster) === 0) ?? cluster;
    if (known.size < FOLDS_KEPT) known.set(cluster, folded);
    return folded;
  };
  const foldText = (text: string): string => {
    if (!/^[\x20-\x7e]*$/.test(text)) return text.replaceAll(/\P{M}\p{M}*|\p{M}+/gu, foldCluster);
    return upperCases ? text.toUpperCase() : text;
  };
  // Numbers are equal whatever zeros they begin with.
  return isNumeric ? (text) => foldText(text).replaceAll(/(?<!\d)0+(?=\d)/g, "") : foldText;
}
