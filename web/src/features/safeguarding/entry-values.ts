import {
  type AddEntry,
  CLIENT_TOLD_NAMES,
  type EntryVersion,
  IMMEDIACY_NAMES,
  SAFEGUARDING_KIND_NAMES,
  type SafeguardingEntry,
} from "@app/shared/safeguarding";
import { plainFields } from "../../ui/version-fields.ts";

type YesNo = "" | "yes" | "no";

/** Whatever is chosen is chosen by whoever writes: until then it is empty, which the schema refuses. */
export interface EntryValues {
  kind: AddEntry["kind"] | "";
  /** Asked of one that a finding opened. */
  isNeeded: YesNo;
  personAtRisk: string;
  concern: string;
  immediacy: AddEntry["immediacy"] | "";
  isConsulted: YesNo;
  consulted: { who: string; on: string; whyNot: string };
  /** Which agencies were told before. */
  told: EntryVersion["told"];
  isTold: YesNo;
  agency: { agency: string; on: string; reference: string };
  whyNobodyTold: string;
  clientTold: AddEntry["clientTold"] | "";
  clientWords: string;
  why: string;
}

const EMPTY: EntryValues = {
  kind: "",
  isNeeded: "",
  personAtRisk: "",
  concern: "",
  immediacy: "",
  isConsulted: "",
  consulted: { who: "", on: "", whyNot: "" },
  told: [],
  isTold: "",
  agency: { agency: "", on: "", reference: "" },
  whyNobodyTold: "",
  clientTold: "",
  clientWords: "",
  why: "",
};

/** What nobody has judged yet is empty. */
const valuesOf = ({ consulted, told, ...version }: EntryVersion): EntryValues => ({
  ...EMPTY,
  personAtRisk: version.personAtRisk,
  concern: version.concern,
  immediacy: version.immediacy ?? "",
  isConsulted: consulted === null ? "" : consulted.isConsulted ? "yes" : "no",
  consulted: { who: consulted?.who ?? "", on: consulted?.on ?? "", whyNot: consulted?.whyNot ?? "" },
  told,
  whyNobodyTold: told.length === 0 ? version.whyNobodyTold : "",
  clientTold: version.clientTold ?? "",
  clientWords: version.clientWords,
});

/** As it stands in the form: what was read of an entry, or nothing. */
export const storedOf = (entry: SafeguardingEntry | undefined) => ({
  values: entry ? { ...valuesOf(entry.latest), kind: entry.kind } : EMPTY,
  version: entry?.version ?? 0,
});

const wordOf = <Key extends string>(words: Record<Key, string>, key: Key | ""): string =>
  key === "" ? "" : words[key];
const agencyText = ({ agency, on }: EntryValues["agency"]): string => [agency, on].filter(Boolean).join(", ");

/** What two wordings of one entry are compared by. */
export const ENTRY_FIELDS = plainFields<EntryValues>(
  {
    kind: "What it is",
    isNeeded: "Whether it needs an entry",
    personAtRisk: "Who is at risk",
    concern: "The concern",
    immediacy: "How soon",
    isConsulted: "Somebody was consulted",
    consulted: "Who was consulted",
    told: "Agencies that were told",
    isTold: "Another agency was told",
    agency: "That agency",
    whyNobodyTold: "Why no agency was told",
    clientTold: "What the client was told",
    clientWords: "In which words",
    why: "Why it is amended",
  },
  {
    kind: (kind) => wordOf(SAFEGUARDING_KIND_NAMES, kind),
    immediacy: (immediacy) => wordOf(IMMEDIACY_NAMES, immediacy),
    consulted: ({ who, on, whyNot }) => [who, on, whyNot].filter(Boolean).join(", "),
    told: (told) => told.map(agencyText).join("; "),
    agency: agencyText,
    clientTold: (told) => wordOf(CLIENT_TOLD_NAMES, told),
  },
);
