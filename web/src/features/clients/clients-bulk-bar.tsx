import { can } from "@app/shared/access";
import { Button } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { ArchiveBar } from "../../core/archive-bar.tsx";
import type { Selected } from "../../core/list-page.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { later } from "../../ui/later.tsx";

const NewMailingDialog = later(async () => (await import("../mailings/new-mailing-dialog.tsx")).NewMailingDialog);

/** Stands in for the filter bar while rows are selected. */
export function ClientsBulkBar(selected: Selected) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const [isWriting, setIsWriting] = useState(false);
  const setStatus = api.clients.setStatus.useMutation({ onSettled: () => utils.clients.invalidate() });
  return (
    <ArchiveBar
      {...selected}
      words={["client", "clients"]}
      setStatus={(ids, status) => setStatus.mutateAsync({ ids, status })}
    >
      {can(user, "mail.send") && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconMail size={14} stroke={1.7} aria-hidden />}
          onClick={() => setIsWriting(true)}
        >
          Write to them
        </Button>
      )}
      {isWriting && <NewMailingDialog clientIds={selected.ids} onClose={() => setIsWriting(false)} />}
    </ArchiveBar>
  );
}
