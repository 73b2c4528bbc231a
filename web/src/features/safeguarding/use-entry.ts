import {
  type AddEntry,
  addEntrySchema,
  amendEntrySchema,
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
  /** The one that is amended; none where a new one is written. */
  entry?: SafeguardingEntry | undefined;
  onClose: () => void;
}

/** The form of a new entry, or of another wording of one that is there. */
export function useEntry({ caseId, entry, onClose }: EntryProps) {
  const utils = api.useUtils();
  const add = api.safeguarding.add.useMutation();
  const amend = api.safeguarding.amend.useMutation();
  const before = entry?.latest.told ?? [];
  const amendmentOf = (values: Values) => ({
    ...contentOf(values, before),
    id: entry?.id ?? "",
    version: entry?.version ?? 0,
    why: values.why,
  });
  const entryOf = (values: Values) => ({ ...contentOf(values, before), caseId, kind: values.kind });
  return useServerForm<Values>({
    initialValues: entry ? { ...valuesOf(entry.latest), kind: entry.kind } : EMPTY,
    validate: (values) => ({
      ...(entry ? checkAmendment(amendmentOf(values)) : checkEntry(entryOf(values))),
      ...(values.isTold === "" ? { isTold: "Say whether an agency was told" } : {}),
    }),
    submit: async (values, id) => {
      await (entry
        ? amend.mutateAsync({ changeId: id, ...amendEntrySchema.parse(amendmentOf(values)) })
        : add.mutateAsync({ id, ...addEntrySchema.parse(entryOf(values)) }));
      await utils.safeguarding.invalidate();
      notify(entry ? "The entry is amended; the earlier wording stays" : "The entry is kept");
      onClose();
    },
  });
}

export type EntryForm = ReturnType<typeof useEntry>;

type Loose<Whole extends Content> = Omit<Whole, "kind" | "immediacy" | "clientTold" | "consulted"> &
  ReturnType<typeof contentOf>;
type Content = Pick<AddEntry, "immediacy" | "clientTold" | "consulted">;
const checkEntry = validateWith<AddEntry, Loose<AddEntry> & Pick<Values, "kind">>(addEntrySchema);
const checkAmendment = validateWith<Amendment, Loose<Amendment>>(amendEntrySchema);
type Amendment = ReturnType<typeof amendEntrySchema.parse>;

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

const valuesOf = ({ consulted, told, ...version }: EntryVersion): Values => ({
  ...EMPTY,
  personAtRisk: version.personAtRisk,
  concern: version.concern,
  immediacy: version.immediacy,
  isConsulted: consulted.isConsulted ? "yes" : "no",
  consulted: { who: consulted.who, on: consulted.on, whyNot: consulted.whyNot },
  whyNobodyTold: told.length === 0 ? version.whyNobodyTold : "",
  clientTold: version.clientTold,
  clientWords: version.clientWords,
});
