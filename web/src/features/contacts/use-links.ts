import type { ContactLink } from "@app/shared/contacts";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";
import { notify, notifyError } from "../../core/notify.ts";

/** What has to be read anew after somebody joined or left a case. */
export function useLinksChanged(): () => Promise<void> {
  const utils = api.useUtils();
  return async () => {
    await Promise.all([utils.contacts.invalidate(), utils.timeline.invalidate(), utils.conflicts.invalidate()]);
  };
}

/** Takes somebody off a case, with a way to undo it at once. */
export function useUnlink() {
  const changed = useLinksChanged();
  const unlink = api.contacts.unlink.useMutation({ onSettled: changed });
  const link = api.contacts.link.useMutation({ onSettled: changed });
  return async (contact: { id: string; displayName: string }, { caseId, role, partyId }: ContactLink) => {
    const input = { id: contact.id, caseId, role, partyId };
    const changeId = makeId();
    const undo = () =>
      void link.mutateAsync({ changeId, ...input }).catch((error: unknown) => notifyError(messageOf(error)));
    try {
      await unlink.mutateAsync(input);
      notify(`${contact.displayName} is taken off the case`, { label: "Undo", onAct: undo });
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
}
