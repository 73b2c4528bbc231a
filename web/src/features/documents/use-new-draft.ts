import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { useNewId } from "../../core/use-new-id.ts";

/** Makes a new draft of a document and goes there. */
export function useNewDraft(documentId: string) {
  const navigate = useNavigate();
  const utils = api.useUtils();
  const [id, renew] = useNewId();
  const copying = api.documents.copy.useMutation({
    onSettled: () => Promise.all([utils.documents.list.invalidate(), utils.timeline.invalidate()]),
  });
  const make = async () => {
    try {
      const made = await copying.mutateAsync({ id, documentId });
      renew();
      await navigate({ to: "/settings/documents/edit/$id", params: { id: made.id } });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return { make, isBusy: copying.isPending };
}
