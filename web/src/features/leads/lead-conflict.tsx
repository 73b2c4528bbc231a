import type { Lead } from "@app/shared/leads";
import { Button } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notifyError } from "../../core/notify.ts";
import { Section } from "../../ui/section.tsx";
import { ConflictHits } from "../conflicts/conflict-hits.tsx";
import { useLeadChanged } from "./use-lead-steps.ts";

/** Whom the practice's records hold of those who are named; whoever looked says so. */
export function LeadConflict({ lead: { id, version, conflict } }: { lead: Lead }) {
  const { dateTime } = useFormats();
  const changed = useLeadChanged();
  const look = api.leads.lookAtConflict.useMutation();
  if (!conflict)
    return (
      <Section title="Conflict check" order={3}>
        <p className="quiet-text">Your records are being looked through. Open this again in a minute.</p>
      </Section>
    );
  const { hits, isCut, checkedAt, lookedAt, lookedByName } = conflict;
  const isFound = hits.length > 0 || isCut;
  const say = async () => {
    try {
      await changed(await look.mutateAsync({ id, version }));
    } catch (error) {
      await changed();
      notifyError(messageOf(error));
    }
  };
  return (
    <Section title="Conflict check" count={hits.length || undefined} order={3}>
      <ConflictHits
        hits={hits}
        hiddenCount={0}
        isCut={isCut}
        nobody={<p className="quiet-text">No matches found on {dateTime(checkedAt)}.</p>}
      />
      {isFound && lookedAt && (
        <p className="quiet-text">
          {lookedByName} looked at this on {dateTime(lookedAt)}. It is decided when the case is opened.
        </p>
      )}
      {isFound && !lookedAt && (
        <Button variant="default" size="xs" mt="xs" loading={look.isPending} onClick={() => void say()}>
          I have looked at this
        </Button>
      )}
    </Section>
  );
}
