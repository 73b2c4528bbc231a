import type { Client, CreateClient } from "@app/shared/clients";
import { api } from "../../core/api.ts";
import { notify } from "../../core/notify.ts";
import { RecordFormFoot, useRecordEditor } from "../../core/record-editor.tsx";
import { VersionedForm } from "../../core/versioned-form.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { withoutEmptyRows } from "../people/reach-values.ts";
import { ClientFields } from "./client-fields.tsx";
import { CLIENT_FIELDS, clientValues, validateClient } from "./client-record.ts";

export function ClientEditor({ client, onLeave }: { client: Client; onLeave: () => void }) {
  const utils = api.useUtils();
  const update = api.clients.update.useMutation();
  const form = useRecordEditor<CreateClient, Client>({
    record: client,
    fields: CLIENT_FIELDS,
    valuesOf: clientValues,
    validate: validateClient,
    read: () => utils.clients.get.fetch({ id: client.id }, { staleTime: 0 }),
    save: (values, version) => update.mutateAsync({ id: client.id, version, client: withoutEmptyRows(values) }),
    onSaved(saved) {
      utils.clients.get.setData({ id: saved.id }, saved);
      void utils.clients.list.invalidate();
      notify(`${saved.displayName} saved`);
      onLeave();
    },
  });
  return (
    <PageGrid main="text">
      <VersionedForm form={form} what="client" label="Client" className="client-form">
        <ClientFields form={form} />
        <RecordFormFoot submitLabel="Save" isSaving={form.newer.isSaving} onCancel={onLeave} />
      </VersionedForm>
    </PageGrid>
  );
}
