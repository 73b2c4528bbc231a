import { createFileRoute } from "@tanstack/react-router";
import { loadMeanwhile } from "../../../core/load.ts";
import { DocumentEditorPage } from "../../../features/documents/document-editor-page.tsx";
import { SignFileButton } from "../../../features/signatures/sign-file-button.tsx";
import { FileSignatures } from "../../../features/signatures/signatures-section.tsx";
import { loadText } from "../../../features/documents/load-text.ts";

export const Route = createFileRoute("/_protected/_subscribed/settings/documents/edit/$id")({
  staticData: { frame: "focus" },
  loader: (context) => loadMeanwhile(context, loadText(context.params.id)),
  component: RouteComponent,
});

function RouteComponent() {
  return (
    <DocumentEditorPage
      textId={Route.useParams().id}
      signing={({ fileId, name, caseId }) => fileId && <SignFileButton fileId={fileId} name={name} caseId={caseId} />}
      signatures={({ fileId, caseId }) => fileId && <FileSignatures fileId={fileId} caseId={caseId} />}
    />
  );
}
