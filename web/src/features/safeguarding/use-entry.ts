import {
  type AddEntry,
  addEntrySchema,
  amendEntrySchema,
  completeEntrySchema,
  dismissEntrySchema,
  type EntryVersion,
  type SafeguardingEntry,
} from "@app/shared/safeguarding";
import { api } from "../../core/api.ts";
import { useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { validateWith } from "../../core/validate.ts";

type YesNo = "" | "yes" | "no";

/** Whatever is chosen is chosen by whoever writes: until then it is empty, which the schema refuses. */
interface Values {
  kind: AddEntry["kind"] | "";
  /** Asked of one that a finding opened. */
  isNeeded: YesNo;
  personAtRisk: string;
  concern: string;
  immediacy: AddEntry["immediacy"] | "";
  isConsulted: YesNo;
  consulted: { who: string; on: string; whyNot: string };
  isTold: YesNo;
  agency: { agency: string; on: string; reference: string };
  whyNobodyTold: string;
  clientTold: AddEntry["clientTold"] | "";
  clientWords: string;
  why: string;
}

const EMPTY: Values = {
  kind: "",
  isNeeded: "",
  personAtRisk: "",
  concern: "",
  immediacy: "",
  isConsulted: "",
  consulted: { who: "", on: "", whyNot: "" },
  isTold: "",
  agency: { agency: "", on: "", reference: "" },
  whyNobodyTold: "",
  clientTold: "",
  clientWords: "",
  why: "",
};

export interface EntryProps {
  caseId: string;
  /** The one that is amended or completed; none where a new one is written. */
  entry?: SafeguardingEntry | undefined;
  onClose: () => void;
}

/** The form of a new entry, of one that waits to be completed, or of another wording of one that is there. */
export function useEntry({ caseId, entry, onClose }: EntryProps) {
  const utils = api.useUtils();
  const waits = waitsFor(entry);
  const ways = useWays();
  return useServerForm<Values>({
    initialValues: entry ? { ...valuesOf(entry.latest), kind: entry.kind } : EMPTY,
    validate: (values) => {
      if (waits && values.isNeeded === "") return { isNeeded: "Say whether this needs an entry" };
      if (waits && values.isNeeded === "no") return checkDismissal({ ...placeOf(entry), why: values.why });
      return { ...checkWritten(values, entry, caseId), ...checkTold(values) };
    },
    submit: async (values, id) => {
      const said = await ways(values, id, { entry, caseId });
      await Promise.all([utils.safeguarding.invalidate(), utils.tasks.invalidate(), utils.dashboard.invalidate()]);
      notify(said);
      onClose();
    },
  });
}

/** Whether it was opened by a finding and nobody completed it. */
export const waitsFor = (entry: SafeguardingEntry | undefined): entry is SafeguardingEntry =>
  entry !== undefined && entry.state !== "kept";

const placeOf = (entry: SafeguardingEntry | undefined) => ({ id: entry?.id ?? "", version: entry?.version ?? 0 });
const checkTold = ({ isTold }: Values): Record<string, string> =>
  isTold === "" ? { isTold: "Say whether an agency was told" } : {};

function checkWritten(values: Values, entry: SafeguardingEntry | undefined, caseId: string): Record<string, string> {
  const content = contentOf(values, entry?.latest.told ?? []);
  if (!entry) return checkEntry({ ...content, caseId, kind: values.kind });
  if (waitsFor(entry)) return checkCompletion({ ...content, ...placeOf(entry) });
  return checkAmendment({ ...content, ...placeOf(entry), why: values.why });
}

/** Sends what was written, and answers what to say of it. */
function useWays() {
  const add = api.safeguarding.add.useMutation();
  const amend = api.safeguarding.amend.useMutation();
  const complete = api.safeguarding.complete.useMutation();
  const dismiss = api.safeguarding.dismiss.useMutation();
  return async (
    values: Values,
    id: string,
    { entry, caseId }: { entry: SafeguardingEntry | undefined; caseId: string },
  ): Promise<string> => {
    const content = contentOf(values, entry?.latest.told ?? []);
    const change = { changeId: id, ...placeOf(entry) };
    if (!entry) {
      await add.mutateAsync({ id, ...addEntrySchema.parse({ ...content, caseId, kind: values.kind }) });
      return "The entry is kept";
    }
    if (waitsFor(entry) && values.isNeeded === "no") {
      await dismiss.mutateAsync({ changeId: id, ...dismissEntrySchema.parse({ ...placeOf(entry), why: values.why }) });
      return "It is kept why no entry is needed";
    }
    if (waitsFor(entry)) {
      await complete.mutateAsync({ ...change, ...completeEntrySchema.parse({ ...content, ...placeOf(entry) }) });
      return "The entry is complete";
    }
    const amendment = { ...content, ...placeOf(entry), why: values.why };
    await amend.mutateAsync({ ...change, ...amendEntrySchema.parse(amendment) });
    return "The entry is amended; the earlier wording stays";
  };
}

export type EntryForm = ReturnType<typeof useEntry>;

type Loose<Whole extends Content> = Omit<Whole, "kind" | "immediacy" | "clientTold" | "consulted"> &
  ReturnType<typeof contentOf>;
type Content = Pick<AddEntry, "immediacy" | "clientTold" | "consulted">;
const checkEntry = validateWith<AddEntry, Loose<AddEntry> & Pick<Values, "kind">>(addEntrySchema);
const checkAmendment = validateWith<Amendment, Loose<Amendment>>(amendEntrySchema);
type Amendment = ReturnType<typeof amendEntrySchema.parse>;
const checkCompletion = validateWith<Completion, Loose<Completion>>(completeEntrySchema);
type Completion = ReturnType<typeof completeEntrySchema.parse>;
const checkDismissal = validateWith<Dismissal, Dismissal>(dismissEntrySchema);
type Dismissal = ReturnType<typeof dismissEntrySchema.parse>;

function contentOf(values: Values, before: EntryVersion["told"]) {
  const { personAtRisk, concern, immediacy, isConsulted, consulted, isTold, agency, clientTold, clientWords } = values;
  const isSomebody = isConsulted === "yes";
  return {
    personAtRisk,
    concern,
    immediacy,
    consulted: {
      isConsulted: isConsulted === "" ? undefined : isSomebody,
      who: isSomebody ? consulted.who : "",
      on: isSomebody ? consulted.on : "",
      whyNot: isConsulted === "no" ? consulted.whyNot : "",
    },
    told: isTold === "yes" ? [...before, agency] : before,
    whyNobodyTold: isTold === "no" ? values.whyNobodyTold : "",
    clientTold,
    clientWords,
  };
}

/** What nobody has judged yet is empty. */
const valuesOf = ({ consulted, told, ...version }: EntryVersion): Values => ({
  ...EMPTY,
  personAtRisk: version.personAtRisk,
  concern: version.concern,
  immediacy: version.immediacy ?? "",
  isConsulted: consulted === null ? "" : consulted.isConsulted ? "yes" : "no",
  consulted: { who: consulted?.who ?? "", on: consulted?.on ?? "", whyNot: consulted?.whyNot ?? "" },
  whyNobodyTold: told.length === 0 ? version.whyNobodyTold : "",
  clientTold: version.clientTold ?? "",
  clientWords: version.clientWords,
});
