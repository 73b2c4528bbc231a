// How a record is added and changed on a page of its own: two who change the same record lose nothing of each other.
import { Button } from "@mantine/core";
import type { VersionField } from "../ui/version-fields.ts";
import { type Rules, useServerForm } from "./form.tsx";
import { useVersionedForm } from "./versioned-form.tsx";
import "../ui/form-grid.css";

interface VersionedRecord {
  version: number;
  updatedAt: string;
  updatedByName: string;
}

interface NewRecord<Values, Made> extends Rules<Values> {
  initialValues: Values;
  create: (values: Values, id: string) => Promise<Made>;
  /** Shows what was made. */
  onCreated: (made: Made) => void;
}

/** The form that adds a record. */
export function useNewRecord<Values extends object, Made>(options: NewRecord<Values, Made>) {
  const { create, onCreated, ...rest } = options;
  return useServerForm<Values>({ ...rest, submit: async (values, id) => onCreated(await create(values, id)) });
}

interface RecordEditor<Values, Stored extends VersionedRecord> extends Rules<Values> {
  record: Stored;
  fields: readonly VersionField<Values>[];
  /** What of the record a person fills in, as it stands in the form. */
  valuesOf: (record: Stored) => Values;
  read: () => Promise<Stored>;
  save: (values: Values, version: number) => Promise<Stored>;
  onSaved: (saved: Stored) => void;
}

/** The form that changes a record; where somebody else saved it meanwhile, both changes are kept or chosen between. */
export function useRecordEditor<Values extends object, Stored extends VersionedRecord>(
  options: RecordEditor<Values, Stored>,
) {
  const { record, fields, valuesOf, validate, read, save, onSaved } = options;
  const storedOf = (one: Stored) => ({
    values: valuesOf(one),
    version: one.version,
    savedBy: { name: one.updatedByName, at: one.updatedAt },
  });
  return useVersionedForm<Values>({
    ...(validate ? { validate } : {}),
    fields,
    stored: storedOf(record),
    read: async () => storedOf(await read()),
    async send(values, version) {
      const saved = await save(values, version);
      onSaved(saved);
      return storedOf(saved);
    },
  });
}

interface FootProps {
  submitLabel: string;
  isSaving: boolean;
  onCancel: () => void;
}

/** What stands below the fields of a record. */
export const RecordFormFoot = ({ submitLabel, isSaving, onCancel }: FootProps) => (
  <div className="form-foot">
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
    <Button type="submit" loading={isSaving}>
      {submitLabel}
    </Button>
  </div>
);
