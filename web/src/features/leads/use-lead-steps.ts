import { LEAD_STATUS_NAMES, type LeadStatus, MOVED_TO, nextStatesOf, stepBetween } from "@app/shared/lead-states";
import type { Lead, LeadRow } from "@app/shared/leads";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notify, notifyError } from "../../core/notify.ts";
import type { LeadsSearch } from "./leads-search.ts";

export type Moved = Pick<LeadRow, "id" | "status" | "version" | "displayName">;

/** Everything that shows leads is read anew: the open one too, unless it is known, or gone (null). */
export function useLeadChanged() {
  const utils = api.useUtils();
  return (lead?: Lead | null) => {
    if (lead) utils.leads.get.setData({ id: lead.id }, lead);
    return Promise.all([
      utils.leads.list.invalidate(),
      utils.leads.board.invalidate(),
      utils.leads.report.invalidate(),
      utils.tasks.invalidate(),
      ...(lead === undefined ? [utils.leads.get.invalidate()] : []),
    ]);
  };
}

/** Takes a lead to another state: at once, or by asking for what that needs; anything else says what comes next. */
export function useLeadSteps(place: LeadsSearch) {
  const navigate = useNavigate();
  const changed = useLeadChanged();
  const move = api.leads.move.useMutation();
  const reopen = api.leads.reopen.useMutation();
  const ask = (id: string, step: NonNullable<LeadsSearch["step"]>) =>
    void navigate({ to: "/leads", search: { ...place, lead: id, step } });

  async function send(lead: Moved, to: LeadStatus): Promise<Lead | null> {
    const { id, version } = lead;
    const moved = MOVED_TO.find((known) => known === to);
    if (moved) return move.mutateAsync({ id, version, to: moved });
    return to === "new" ? reopen.mutateAsync({ id, version }) : null;
  }

  return async function step(lead: Moved, to: LeadStatus): Promise<void> {
    const way = stepBetween(lead.status, to);
    if (way === "lose" || way === "convert") return ask(lead.id, way);
    if (way === null) {
      notifyError(
        `${lead.displayName} is “${LEAD_STATUS_NAMES[lead.status]}”. Next comes ${nextStatesOf(lead.status)}.`,
      );
      return;
    }
    try {
      const after = await send(lead, to);
      await changed(after ?? undefined);
      notify(way === "reopen" ? `${lead.displayName} reopened` : `${lead.displayName}: ${LEAD_STATUS_NAMES[to]}`);
    } catch (error) {
      await changed();
      notifyError(messageOf(error));
    }
  };
}
