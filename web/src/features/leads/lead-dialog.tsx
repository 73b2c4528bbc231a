import { LEAD_TRANSITIONS } from "@app/shared/lead-states";
import type { Lead } from "@app/shared/leads";
import { Button } from "@mantine/core";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { EraseLeadDialog } from "./erase-lead-dialog.tsx";
import { LeadEditor } from "./lead-editor.tsx";
import { LeadView } from "./lead-view.tsx";
import { type LeadsSearch, withoutDialog } from "./leads-search.ts";
import { LoseLeadForm } from "./lose-lead-form.tsx";
import { stepLabel } from "./move-menu.tsx";
import { useSpam } from "./use-spam.ts";
import { WriteToLeadForm } from "./write-to-lead-form.tsx";
import { useLeadSteps } from "./use-lead-steps.ts";

interface Props {
  id: string;
  search: LeadsSearch;
}

/** One lead over the board: to read, to change, or to say why it was lost. */
export function LeadDialog({ id, search }: Props) {
  const navigate = useNavigate();
  const place = withoutDialog(search);
  const show = (next: LeadsSearch) => void navigate({ to: "/leads", search: next });
  const close = () => show(place);
  const read = () => show({ ...place, lead: id });
  const lead = api.leads.get.useQuery({ id });
  const { step } = search;
  const name = lead.data?.displayName ?? "Lead";
  const isReading = step === undefined || step === "erase";
  return (
    <>
      <Dialog
        isOpen
        onClose={close}
        title={titleOf(step, name)}
        size={step === "lose" ? "small" : "form"}
        footer={isReading && lead.data ? <Footer lead={lead.data} place={place} /> : undefined}
      >
        <Loaded query={lead} failureTitle="The lead could not be read">
          {(data) => {
            if (step === "edit") return <LeadEditor lead={data} onLeave={read} />;
            if (step === "lose") return <LoseLeadForm lead={data} onDone={close} />;
            if (step === "write") return <WriteToLeadForm lead={data} onDone={read} />;
            return <LeadView lead={data} place={place} />;
          }}
        </Loaded>
      </Dialog>
      {step === "erase" && lead.data && <EraseLeadDialog lead={lead.data} onClose={read} onErased={close} />}
    </>
  );
}

function titleOf(step: LeadsSearch["step"], name: string): string {
  if (step === "edit") return `Edit ${name}`;
  if (step === "write") return `Write to ${name}`;
  return step === "lose" ? `Why is ${name} lost?` : name;
}

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** What is done next with a lead is the one button that is filled. */
function Footer({ lead, place }: { lead: Lead; place: LeadsSearch }) {
  const navigate = useNavigate();
  const take = useLeadSteps(place);
  const spam = useSpam();
  const [isBusy, setIsBusy] = useState(false);
  const go = (step: "edit" | "erase") => void navigate({ to: "/leads", search: { ...place, lead: lead.id, step } });
  return (
    <>
      <Button variant="default" data-left leftSection={<IconTrash {...icon} />} onClick={() => go("erase")}>
        Delete
      </Button>
      {lead.status !== "converted" && (
        <Button variant="default" loading={spam.isBusy} onClick={() => void spam.mark([lead.id], !lead.isSpam)}>
          {lead.isSpam ? "This is no spam" : "This is spam"}
        </Button>
      )}
      <Button variant="default" leftSection={<IconPencil {...icon} />} onClick={() => go("edit")}>
        Edit
      </Button>
      {(lead.isSpam ? [] : LEAD_TRANSITIONS[lead.status].toReversed()).map((way) => (
        <Button
          key={way.to}
          {...(way.step === "lose" ? { variant: "default" } : {})}
          loading={isBusy && way.step !== "lose"}
          onClick={() => {
            setIsBusy(true);
            void take(lead, way.to).finally(() => setIsBusy(false));
          }}
        >
          {stepLabel(way)}
        </Button>
      ))}
    </>
  );
}
