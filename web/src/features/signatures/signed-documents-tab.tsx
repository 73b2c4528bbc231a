import type { Case } from "@app/shared/cases";
import { ClientDocumentsTab } from "../documents/client-documents-tab.tsx";
import { SignFileButton } from "./sign-file-button.tsx";

interface Props {
  theCase: Case;
  page: number;
  onPage: (page: number) => void;
}

/** What is written in a case; what is finished can be sent out to be signed from there. */
export function SignedDocumentsTab(props: Props) {
  const { id: caseId } = props.theCase;
  return (
    <ClientDocumentsTab
      {...props}
      signing={({ fileId, name }) => fileId && <SignFileButton fileId={fileId} name={name} caseId={caseId} />}
    />
  );
}
