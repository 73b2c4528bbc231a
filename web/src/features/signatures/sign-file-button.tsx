import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { StoredFile } from "@app/shared/files";
import { isBeingSigned, SIGNATURE_STATUS_WORDS } from "@app/shared/signatures";
import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
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
  const { data } = api.signatures.ofCase.useQuery({ caseId });
  const own = data?.items.filter((signature) => signature.fileId === fileId) ?? [];
  const status = own.find((one) => isBeingSigned(one.status))?.status ?? own[0]?.status;
  const mark = status && <Chip>{SIGNATURE_STATUS_WORDS[status]}</Chip>;
  // It waits for signatures already: the same is not sent once more.
  const isSent = status !== undefined && isBeingSigned(status);
  if (isSent || !can(user, "documents.manage") || !can(user, "mail.send")) return mark;
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
      {mark}
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
