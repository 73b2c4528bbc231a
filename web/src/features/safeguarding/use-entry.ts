import { type AddEntry, addEntrySchema, amendEntrySchema, type SafeguardingEntry } from "@app/shared/safeguarding";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { validateWith } from "../../core/validate.ts";
import { useVersionedForm } from "../../core/versioned-form.tsx";
import { ENTRY_FIELDS, type EntryValues, storedOf } from "./entry-values.ts";

export interface EntryProps {
  caseId: string;
  /** The one that is amended; none where a new one is written. */
  entry?: SafeguardingEntry | undefined;
  /** Of the list, on which the entry stands. */
  page: number;
  onClose: () => void;
}

/** The form of a new entry, or of another wording of one that is there. */
export function useEntry({ caseId, entry, page, onClose }: EntryProps) {
  const [newId] = useNewId();
  const utils = api.useUtils();
  const add = api.safeguarding.add.useMutation();
  const amend = api.safeguarding.amend.useMutation();
  const amendmentOf = (values: EntryValues, version: number) => ({
    ...contentOf(values),
    id: entry?.id ?? "",
    version,
    why: values.why,
  });
  const entryOf = (values: EntryValues) => ({ ...contentOf(values), caseId, kind: values.kind });
  return useVersionedForm<EntryValues>({
    fields: ENTRY_FIELDS,
    stored: storedOf(entry),
    validate: (values) => ({
      ...(entry ? checkAmendment(amendmentOf(values, entry.version)) : checkEntry(entryOf(values))),
      ...(values.isTold === "" ? { isTold: "Say whether an agency was told" } : {}),
    }),
    async read() {
      const { items } = await utils.safeguarding.list.fetch({ caseId, page }, { staleTime: 0 });
      return storedOf(items.find(({ id }) => id === entry?.id) ?? entry);
    },
    async send(values, version) {
      const saved = await (entry
        ? amend.mutateAsync({ changeId: newId, ...amendEntrySchema.parse(amendmentOf(values, version)) })
        : add.mutateAsync({ id: newId, ...addEntrySchema.parse(entryOf(values)) }));
      await utils.safeguarding.invalidate();
      notify(entry ? "The entry is amended; the earlier wording stays" : "The entry is kept");
      onClose();
      return storedOf(saved);
    },
  });
}

export type EntryForm = ReturnType<typeof useEntry>;

type Loose<Whole extends Content> = Omit<Whole, "kind" | "immediacy" | "clientTold" | "consulted"> &
  ReturnType<typeof contentOf>;
type Content = Pick<AddEntry, "immediacy" | "clientTold" | "consulted">;
const checkEntry = validateWith<AddEntry, Loose<AddEntry> & Pick<EntryValues, "kind">>(addEntrySchema);
const checkAmendment = validateWith<Amendment, Loose<Amendment>>(amendEntrySchema);
type Amendment = ReturnType<typeof amendEntrySchema.parse>;

function contentOf(values: EntryValues) {
  const { told } = values;
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
    told: isTold === "yes" ? [...told, agency] : told,
    whyNobodyTold: isTold === "no" ? values.whyNobodyTold : "",
    clientTold,
    clientWords,
  };
}
