import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { TemplateRow } from "@app/shared/document-templates";
import { Button } from "@mantine/core";
import { IconFileText } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { later } from "../../ui/later.tsx";

const NewDocumentDialog = later(async () => (await import("./new-document-dialog.tsx")).NewDocumentDialog);

/** Begins the summary of a session, of the template of the practice; nothing for whoever writes no documents. */
export function WriteSummaryButton({ theCase }: { theCase: Case }) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const [template, setTemplate] = useState<TemplateRow | null>(null);
  const [isLoading, setIsLoading] = useState(false);
  if (!can(user, "documents.manage")) return null;
  const begin = async () => {
    setIsLoading(true);
    try {
      const { items } = await utils.documentTemplates.list.fetch({ kind: "session_summary" });
      if (items[0]) setTemplate(items[0]);
      else notifyError("There is no template for a session summary. Make one under Documents, or bring one back.");
    } catch (error) {
      notifyError(messageOf(error));
    } finally {
      setIsLoading(false);
    }
  };
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFileText size={16} stroke={1.7} aria-hidden />}
        loading={isLoading}
        onClick={() => void begin()}
      >
        Write a summary
      </Button>
      {template && <NewDocumentDialog theCase={theCase} template={template} onClose={() => setTemplate(null)} />}
    </>
  );
}
