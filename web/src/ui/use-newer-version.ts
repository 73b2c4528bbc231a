import { type Dispatch, type SetStateAction, useState } from "react";
import { fieldsFor, isSame, isSameField, mergeVersions, type VersionFields } from "./version-fields.ts";

export interface Stored<Values> {
  values: Values;
  version: number;
  /** Who saved it, and when; left out where that is not known. */
  savedBy?: { name: string; at: string };
}

export interface NewerVersionOptions<Values> {
  fields: VersionFields<Values>;
  /** As it was read last. */
  stored: Stored<Values>;
  values: Values;
  setValues: Dispatch<SetStateAction<Values>>;
  /** Stores over this version; rejects as stale where there is a newer one. */
  send: (values: Values, version: number) => Promise<Stored<Values>>;
  /** Reads what is stored by now, by the feature's own get: whoever may not see it does not see it here either. */
  read: () => Promise<Stored<Values>>;
  isStale: (error: unknown) => boolean;
}

const TRIES = 3;
const union = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])];

/**
 * What is typed stays until it is saved or thrown away. Where the same thing is saved elsewhere meanwhile, what nobody
 * touched here is taken over and told; where both changed the same, saving asks which of the two is to stand.
 */
export function useNewerVersion<Values>(options: NewerVersionOptions<Values>) {
  const { fields, stored, values, setValues, send, read, isStale } = options;
  const [base, setBase] = useState(stored);
  const [changed, setChanged] = useState<readonly string[]>([]);
  const [clashing, setClashing] = useState<readonly string[]>([]);
  const [isAsking, setIsAsking] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const isDirty = !isSame(fields, values, base.values);

  function forget() {
    setChanged([]);
    setClashing([]);
    setIsAsking(false);
  }

  /** Goes on from a newer version; gives what is to be saved now, and whether somebody must choose before. */
  function rebase(newer: Stored<Values>, mine: Values, from = base.values) {
    const merged = mergeVersions(fields, { base: from, theirs: newer.values, mine });
    setBase(newer);
    // What was typed since `mine` was read stays too.
    setValues((typed) => mergeVersions(fields, { base: from, theirs: newer.values, mine: typed }).values);
    if (!isSame(fields, mine, from)) setChanged((before) => union(before, merged.changed));
    setClashing((before) => union(before, merged.clashing));
    return merged;
  }

  // While this form saves, a newer version is most likely its own.
  if (!isSaving && stored.version > base.version) rebase(stored, values);

  async function sendOver(from: Stored<Values>, mine: Values, tries = TRIES): Promise<void> {
    try {
      const result = await send(mine, from.version);
      forget();
      setBase(result);
      setValues((typed) => mergeVersions(fields, { base: mine, theirs: result.values, mine: typed }).values);
    } catch (error) {
      if (tries === 0 || !isStale(error)) throw error;
      const newer = await read();
      const merged = rebase(newer, mine, from.values);
      if (merged.clashing.length > 0) setIsAsking(true);
      else await sendOver(newer, merged.values, tries - 1);
    }
  }

  async function save(mine: Values): Promise<void> {
    setIsSaving(true);
    await sendOver(base, mine).finally(() => setIsSaving(false));
  }

  const compared = fieldsFor(fields, values, base.values);
  const differing = compared.filter((field) => !isSameField(field, values, base.values));
  const clashes = differing.filter(({ key }) => clashing.includes(key));
  return {
    /** What the fields are compared with. */
    version: base.version,
    savedBy: base.savedBy,
    isDirty,
    isSaving,
    isAsking,
    /** What was changed elsewhere while something was typed here. */
    changed: compared.filter(({ key }) => changed.includes(key)).map(({ label }) => label),
    clashes: clashes.map(({ key, label, text }) => ({
      key,
      label,
      theirs: text(base.values, values),
      mine: text(values, base.values),
    })),
    /** Saves, or asks first. */
    save: async (mine: Values) => (clashes.length > 0 ? setIsAsking(true) : save(mine)),
    stopAsking: () => setIsAsking(false),
    async choose(choices: Record<string, "theirs" | "mine">) {
      const given = clashes.filter(({ key }) => choices[key] === "theirs");
      const chosen = given.reduce((all, { take }) => take(all, base.values), values);
      setValues(chosen);
      forget();
      await save(chosen);
    },
    discard() {
      setValues(base.values);
      forget();
    },
  };
}

export type NewerVersion = Omit<ReturnType<typeof useNewerVersion>, "save">;
