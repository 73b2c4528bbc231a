import type { WrittenDocument } from "@app/shared/documents";
import { Stack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { later } from "../../ui/later.tsx";
import { Panel } from "../../ui/panel.tsx";
import { type Consent, ConsentFields, noConsents, whyNotConsented } from "../finances/consent-fields.tsx";
import "./finish-dialog.css";

const PdfViewer = later(async () => (await import("../../ui/pdf/pdf-viewer.tsx")).PdfViewer);

interface Props {
  document: WrittenDocument;
  version: number;
  onClose: () => void;
}

/** The PDF as it will be, and what is to be known before it is final. */
export function FinishDialog({ document, version, onClose }: Props) {
  const query = api.documents.look.useQuery({ id: document.id }, { gcTime: 0, staleTime: Infinity });
  return (
    <Dialog isOpen onClose={onClose} title={`Finish “${document.name}”`} size="full">
      <Loaded query={query} failureTitle="This cannot be finished yet">
        {({ unwritten, doubts, consentsDue }) => (
          <Finishing {...{ document, version, onClose, unwritten, doubts, due: consentsDue }} />
        )}
      </Loaded>
    </Dialog>
  );
}

interface FinishingProps extends Props {
  unwritten: readonly string[];
  doubts: readonly string[];
  due: readonly { partyId: string; label: string; name: string }[];
}

function Finishing({ document, version, onClose, unwritten, doubts, due }: FinishingProps) {
  const { id, name } = document;
  const utils = api.useUtils();
  const finishing = api.documents.finish.useMutation();
  const form = useServerForm<{ consents: Consent[] }>({
    initialValues: { consents: noConsents(due) },
    validate: whyNotConsented,
    submit: async ({ consents }) => {
      const stored = await finishing.mutateAsync({ id, version, consents });
      utils.documents.open.setData({ id }, { of: "document", document: stored });
      void Promise.all([utils.documents.list.invalidate(), utils.files.invalidate(), utils.timeline.invalidate()]);
      onClose();
    },
  });
  return (
    <Form form={form} label="Finish the document">
      <Stack gap="lg">
        {unwritten.length > 0 && (
          <Panel
            icon={<IconAlertTriangle size={18} stroke={1.7} aria-hidden />}
            title={`These signs cannot be written: ${unwritten.join(" ")}`}
          >
            A mark stands in the place of each. If it matters, such as in a name, write them in other letters first.
          </Panel>
        )}
        {doubts.map((doubt) => (
          <Panel key={doubt}>{doubt}</Panel>
        ))}
        {due.length > 0 && (
          <>
            <p>
              The disclosures are not exchanged under Finances. Record here that each consents that the others read what
              they disclosed.
            </p>
            <ConsentFields parties={due} form={form} />
          </>
        )}
        <p>Once it is finished it never changes, and those for whom it was written may be shown it.</p>
        <FormFoot isSaving={form.isSaving}>Finish it</FormFoot>
        <div className="finish-pdf">
          <PdfViewer address={`/export/documents/${id}.pdf`} name={name} />
        </div>
      </Stack>
    </Form>
  );
}
