import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { StoredFile } from "@app/shared/files";
import { useState } from "react";
import { notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { later } from "../../ui/later.tsx";
import { ClientFilesTab } from "../files/client-files-tab.tsx";
import { SendForSignatureDialog } from "./send-for-signature-dialog.tsx";
import { SignaturesSection } from "./signatures-section.tsx";

const ComposeDialog = later(async () => (await import("../compose/compose-dialog.tsx")).ComposeDialog);

interface Props {
  clientId: string;
  theCase: Case | null;
  page: number;
  onPage: (page: number) => void;
}

/** The files of a client, with what is being signed of them. */
export function SignedFilesTab(props: Props) {
  const { clientId, theCase } = props;
  const user = useCurrentUser();
  const [asked, setAsked] = useState<StoredFile | null>(null);
  const [mailed, setMailed] = useState<StoredFile | null>(null);
  const maySend = can(user, "documents.manage") && can(user, "mail.send");
  const sign = (file: StoredFile) =>
    maySend
      ? setAsked(file)
      : notifyError("You may not send documents out to be signed. Ask the owner of the practice.");
  return (
    <>
      <SignaturesSection clientId={clientId} maySend={maySend} />
      <ClientFilesTab {...props} onSign={sign} onMail={can(user, "mail.send") ? setMailed : null} />
      {asked && theCase && <SendForSignatureDialog file={asked} theCase={theCase} onClose={() => setAsked(null)} />}
      {mailed && (
        <ComposeDialog
          start={{ clientId, caseId: mailed.caseId, fileIds: [mailed.id] }}
          onClose={() => setMailed(null)}
        />
      )}
    </>
  );
}
