import { useIsMutating } from "@tanstack/react-query";
import { getMutationKey } from "@trpc/react-query";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ComposeForm } from "./compose-form.tsx";
import type { ComposeStart } from "./compose-start.ts";

interface Props {
  start: ComposeStart;
  onClose: () => void;
}

/** Writes a message to one client. Loaded only where somebody writes: import it lazily. */
export function ComposeDialog({ start, onClose }: Props) {
  const { clientId, caseId } = start;
  // Whoever closes the dialog and opens it again at once finds what is still on its way to the store.
  const isKeeping = useIsMutating({ mutationKey: getMutationKey(api.compose.saveDraft) }) > 0;
  // What was begun is read anew each time the dialog is opened.
  const begun = api.compose.start.useQuery(
    { clientId, caseId },
    { gcTime: 0, staleTime: Infinity, enabled: !isKeeping },
  );
  if (begun.data)
    return <ComposeForm key={`${clientId} ${caseId}`} start={start} data={begun.data} onClose={onClose} />;
  return (
    <Dialog isOpen onClose={onClose} title="New message" size="wide">
      <Loaded query={begun} failureTitle="This message could not be begun">
        {() => null}
      </Loaded>
    </Dialog>
  );
}
