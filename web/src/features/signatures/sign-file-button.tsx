import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { StoredFile } from "@app/shared/files";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { later } from "../../ui/later.tsx";

const SendDialog = later(async () => (await import("./send-for-signature-dialog.tsx")).SendForSignatureDialog);

interface Props {
  /** Of a finished document. */
  fileId: string;
  name: string;
  caseId: string;
}

/** Sends the PDF of a finished document out to be signed; nothing for whoever may not. */
export function SignFileButton({ fileId, name, caseId }: Props) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const [asked, setAsked] = useState<{ file: StoredFile; theCase: Case } | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  if (!can(user, "documents.manage") || !can(user, "mail.send")) return null;
  async function open() {
    setIsLoading(true);
    try {
      const [file, theCase] = await Promise.all([
        utils.files.get.fetch({ id: fileId }),
        utils.cases.get.fetch({ id: caseId }),
      ]);
      setAsked({ file, theCase });
    } catch (error) {
      notifyError(messageOf(error));
    } finally {
      setIsLoading(false);
    }
  }
  return (
    <>
      <Button
        size="xs"
        variant="default"
        loading={isLoading}
        aria-label={`Send for signature: ${name}`}
        onClick={() => void open()}
      >
        Send for signature
      </Button>
      {asked && <SendDialog {...asked} onClose={() => setAsked(null)} />}
    </>
  );
}
