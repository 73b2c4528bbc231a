// Three versions of the same thing: as the editing began, as it is stored by now, and as somebody typed it.
/** One thing of a form that can be told of and chosen by itself. */
export interface VersionField<Values> {
  key: string;
  label: string;
  value: (values: Values) => unknown;
  /** `into` with this field as it is in `from`. */
  take: (into: Values, from: Values) => Values;
  /** As it is shown; what is too long to show says how it differs from `other`, where that is given. */
  text: (values: Values, other?: Values) => string;
}

/** Where what can be told apart differs from version to version, they are asked for with all that are compared. */
export type VersionFields<Values> =
  | readonly VersionField<Values>[]
  | ((versions: readonly Values[]) => readonly VersionField<Values>[]);

export const fieldsFor = <Values>(
  fields: VersionFields<Values>,
  ...versions: readonly Values[]
): readonly VersionField<Values>[] => (typeof fields === "function" ? fields(versions) : fields);

interface Versions<Values> {
  base: Values;
  theirs: Values;
  mine: Values;
}

interface Merged<Values> {
  values: Values;
  /** What the others changed. */
  changed: string[];
  /** What both changed, and differently: mine stands until somebody chooses. */
  clashing: string[];
}

const plainText = (value: unknown): string =>
  value === true ? "Yes" : value === false ? "No" : typeof value === "string" ? value : JSON.stringify(value);

/** A field for each key that has a label. */
export function plainFields<Values extends object>(
  labels: { [Key in keyof Values]: string },
  texts: { [Key in keyof Values]?: (value: Values[Key]) => string } = {},
): VersionField<Values>[] {
  const fields: VersionField<Values>[] = [];
  for (const key in labels)
    fields.push({
      key,
      label: labels[key],
      value: (values) => values[key],
      take: (into, from) => ({ ...into, [key]: from[key] }),
      text: (values) => texts[key]?.(values[key]) ?? plainText(values[key]),
    });
  return fields;
}

export const isSameField = <Values>(
  { value }: Pick<VersionField<Values>, "value">,
  one: Values,
  other: Values,
): boolean => JSON.stringify(value(one)) === JSON.stringify(value(other));

export const isSame = <Values>(fields: VersionFields<Values>, one: Values, other: Values): boolean =>
  fieldsFor(fields, one, other).every((field) => isSameField(field, one, other));

/** Takes over what the others changed where nothing was typed; what was typed stays. */
export function mergeVersions<Values>(
  fields: VersionFields<Values>,
  { base, theirs, mine }: Versions<Values>,
): Merged<Values> {
  const changed = fieldsFor(fields, base, theirs, mine).filter((field) => !isSameField(field, base, theirs));
  const typed = changed.filter((field) => !isSameField(field, base, mine));
  const untouched = changed.filter((field) => !typed.includes(field));
  return {
    values: untouched.reduce((values, { take }) => take(values, theirs), mine),
    changed: changed.map(({ key }) => key),
    clashing: typed.filter((field) => !isSameField(field, mine, theirs)).map(({ key }) => key),
  };
}
