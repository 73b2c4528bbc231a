import { MongoError } from "../values.ts";
import type { Doc, Value } from "../values.ts";
import { isNumber, toNumber } from "../bson/numbers.ts";
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
const FIELDS = new Set([
  "locale",
  "caseLevel",
  "caseFirst",
  "strength",
  "numericOrdering",
  "alternate",
  "maxVariable",
  "normalization",
  "backwards",
  "version",
]);
const FOLDS_KEPT = 10_000;

/** The collation that a specification describes; undefined for none and for "simple", which is byte order. */
export function parseCollation(spec: Doc | undefined): Collation | undefined {
  if (!spec) return undefined;
  const locale = spec.get("locale");
  if (typeof locale !== "string")
    throw new MongoError(40414, "Location40414", "BSON field 'collation.locale' is missing but a required field");
  for (const name of spec.keys()) {
    if (!FIELDS.has(name))
      throw new MongoError(40415, "Location40415", `BSON field 'collation.${name}' is an unknown field.`);
  }
  if (locale === "simple") return undefined;
  const strength = readNumber(spec.get("strength"), 3);
  const caseLevel = readBoolean(spec, "caseLevel");
  const numericOrdering = readBoolean(spec, "numericOrdering");
  const caseFirst = spec.get("caseFirst") ?? "off";
  refuseUnsupported(spec, strength, caseLevel);
  const collator = openCollator(locale, {
    sensitivity: strength === 1 && caseLevel ? "case" : SENSITIVITY.get(strength),
    numeric: numericOrdering,
    caseFirst: caseFirst === "upper" || caseFirst === "lower" ? caseFirst : "false",
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
    spec: new Map<string, Value>([
      ["locale", locale],
      ["caseLevel", caseLevel],
      ["caseFirst", caseFirst],
      ["strength", strength],
      ["numericOrdering", numericOrdering],
      ["alternate", "non-ignorable"],
      ["maxVariable", "punct"],
      ["normalization", readBoolean(spec, "normalization")],
      ["backwards", false],
      ["version", "57.1"],
    ]),
  };
}

const readNumber = (value: Value, fallback: number): number => (isNumber(value) ? toNumber(value) : fallback);

function readBoolean(spec: Doc, name: string): boolean {
  const value = spec.get(name) ?? false;
  if (typeof value !== "boolean")
    throw new MongoError(14, "TypeMismatch", `BSON field 'collation.${name}' is the wrong type, expected type 'bool'`);
  return value;
}

function refuseUnsupported(spec: Doc, strength: number, caseLevel: boolean): void {
  const refuse = (what: string) =>
    new MongoError(2, "BadValue", `collation ${what} is not supported by the embedded database`);
  if (!Number.isInteger(strength) || strength < 1 || strength > 5) {
    throw new MongoError(2, "BadValue", "collation strength must be an integer from 1 to 5");
  }
  if (!SENSITIVITY.has(strength)) throw refuse(`strength ${strength}`);
  if (caseLevel && strength === 2) throw refuse("caseLevel with strength 2");
  if ((spec.get("alternate") ?? "non-ignorable") !== "non-ignorable") throw refuse("alternate 'shifted'");
  if (readBoolean(spec, "backwards")) throw refuse("backwards");
}

function openCollator(
  locale: string,
  options: {
    sensitivity: Intl.CollatorOptions["sensitivity"];
    numeric: boolean;
    caseFirst: "upper" | "lower" | "false";
  },
): Intl.Collator {
  const tag = locale.replaceAll("_", "-").split("@")[0] ?? locale;
  const isKnown =
    /^[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|\d{3}))?$/i.test(tag) && Intl.Collator.supportedLocalesOf([tag]).length > 0;
  if (!isKnown || locale.includes("@"))
    throw new MongoError(2, "BadValue", `Field 'locale' is invalid in: { locale: "${locale}" }`);
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
  return (text) => {
    const isAscii = /^[\x20-\x7e]*$/.test(text);
    const folded = isAscii
      ? upperCases
        ? text.toUpperCase()
        : text
      : text.replaceAll(/\P{M}\p{M}*|\p{M}+/gu, foldCluster);
    return isNumeric
      ? folded.replaceAll(/0+(?=\d)/g, (zeros, offset: number) => (/\d/.test(folded[offset - 1] ?? "") ? zeros : ""))
      : folded;
  };
}
