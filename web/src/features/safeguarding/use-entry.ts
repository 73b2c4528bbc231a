import {
  type AddEntry,
  addEntrySchema,
  amendEntrySchema,
  completeEntrySchema,
  dismissEntrySchema,
  type SafeguardingEntry,
} from "@app/shared/safeguarding";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { useNewId } from "../../core/use-new-id.ts";
import { validateWith } from "../../core/validate.ts";
import { useVersionedForm } from "../../core/versioned-form.tsx";
import { ENTRY_FIELDS, type EntryValues, storedOf } from "./entry-values.ts";

export interface EntryProps {
  caseId: string;
  /** The one that is amended or completed; none where a new one is written. */
  entry?: SafeguardingEntry | undefined;
  /** In which the entry stands. */
  list: { refetch: (options: { throwOnError: true }) => Promise<{ data: { items: SafeguardingEntry[] } | undefined }> };
  onClose: () => void;
}

/** The form of a new entry, of one that waits to be completed, or of another wording of one that is there. */
export function useEntry({ caseId, entry, list, onClose }: EntryProps) {
  const utils = api.useUtils();
  const waits = waitsFor(entry);
  const send = useWays({ entry, caseId });
  return useVersionedForm<EntryValues>({
    fields: ENTRY_FIELDS,
    stored: storedOf(entry),
    validate: (values) => {
      if (waits && values.isNeeded === "") return { isNeeded: "Say whether this needs an entry" };
      const place = { id: entry?.id ?? "", version: storedOf(entry).version };
      if (waits && values.isNeeded === "no") return checkDismissal({ ...place, why: values.why });
      return { ...checkWritten(values, { entry, caseId, place }), ...checkTold(values) };
    },
    async read() {
      const { data } = await list.refetch({ throwOnError: true });
      return storedOf(data?.items.find(({ id }) => id === entry?.id) ?? entry);
    },
    async send(values, version) {
      const { saved, said } = await send(values, version);
      await Promise.all([
        utils.safeguarding.invalidate(),
        utils.casework.invalidate(),
        utils.tasks.invalidate(),
        utils.dashboard.invalidate(),
      ]);
      notify(said);
      onClose();
      return storedOf(saved);
    },
  });
}

/** Whether it was opened by a finding and nobody completed it. */
export const waitsFor = (entry: SafeguardingEntry | undefined): entry is SafeguardingEntry =>
  entry !== undefined && entry.state !== "kept";

const checkTold = ({ isTold }: EntryValues): Record<string, string> =>
  isTold === "" ? { isTold: "Say whether an agency was told" } : {};

interface Written {
  entry: SafeguardingEntry | undefined;
  caseId: string;
  place: { id: string; version: number };
}

function checkWritten(values: EntryValues, { entry, caseId, place }: Written): Record<string, string> {
  const content = contentOf(values);
  if (!entry) return checkEntry({ ...content, caseId, kind: values.kind });
  if (waitsFor(entry)) return checkCompletion({ ...content, ...place });
  return checkAmendment({ ...content, ...place, why: values.why });
}

const FOR_AUTHOR_ALONE =
  "The entry is kept, and only you can read it: there is no nominated officer who may. The owner names one under “Staff and permissions”; do not say why.";

/** Sends what was written, and answers what was stored and what to say of it. */
function useWays({ entry, caseId }: Pick<EntryProps, "entry" | "caseId">) {
  const [newId] = useNewId();
  const add = api.safeguarding.add.useMutation();
  const amend = api.safeguarding.amend.useMutation();
  const complete = api.safeguarding.complete.useMutation();
  const dismiss = api.safeguarding.dismiss.useMutation();
  return async (values: EntryValues, version: number) => {
    const content = contentOf(values);
    if (!entry) {
      const written = addEntrySchema.parse({ ...content, caseId, kind: values.kind });
      const saved = await add.mutateAsync({ id: newId, ...written });
      return { saved, said: saved.isForAuthorAlone ? FOR_AUTHOR_ALONE : "The entry is kept" };
    }
    const place = { id: entry.id, version };
    const changeId = newId;
    if (waitsFor(entry) && values.isNeeded === "no") {
      const dismissal = dismissEntrySchema.parse({ ...place, why: values.why });
      const saved = await dismiss.mutateAsync({ changeId, ...dismissal });
      return { saved, said: "It is kept why no entry is needed" };
    }
    if (waitsFor(entry)) {
      const saved = await complete.mutateAsync({ changeId, ...completeEntrySchema.parse({ ...content, ...place }) });
      return { saved, said: "The entry is complete" };
    }
    const amendment = amendEntrySchema.parse({ ...content, ...place, why: values.why });
    const saved = await amend.mutateAsync({ changeId, ...amendment });
    return { saved, said: "The entry is amended; the earlier wording stays" };
  };
}

export type EntryForm = ReturnType<typeof useEntry>;

type Loose<Whole extends Content> = Omit<Whole, "kind" | "immediacy" | "clientTold" | "consulted"> &
  ReturnType<typeof contentOf>;
type Content = Pick<AddEntry, "immediacy" | "clientTold" | "consulted">;
const checkEntry = validateWith<AddEntry, Loose<AddEntry> & Pick<EntryValues, "kind">>(addEntrySchema);
const checkAmendment = validateWith<Amendment, Loose<Amendment>>(amendEntrySchema);
type Amendment = ReturnType<typeof amendEntrySchema.parse>;
const checkCompletion = validateWith<Completion, Loose<Completion>>(completeEntrySchema);
type Completion = ReturnType<typeof completeEntrySchema.parse>;
const checkDismissal = validateWith<Dismissal, Dismissal>(dismissEntrySchema);
type Dismissal = ReturnType<typeof dismissEntrySchema.parse>;

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
