import { newId } from "@app/server/core/ids";
import type { CreateLead, Enquiry } from "@app/shared/leads";
import type { Door } from "./door.ts";
import { anIntake, type Sent, type TestPractice } from "../server/people.ts";

/** What somebody tells of themselves and of the other person. */
export const anEnquiry = (overrides: Partial<Enquiry> = {}): Enquiry => ({
  firstName: "Winifred",
  lastName: "Dace",
  organisation: "",
  email: "winifred@example.org",
  phone: "07700 900301",
  dateOfBirth: "",
  other: { firstName: "Gareth", lastName: "Holloway", email: "", phone: "07700 900302", dateOfBirth: "" },
  domain: "family",
  source: "solicitor",
  campaign: "",
  summary: "They live apart and want to agree when the children are where.",
  reachBy: "any",
  reachNote: "",
  nextStep: "",
  nextOn: "",
  ...overrides,
});

/** A lead as the form would send it. */
export const aLead = (overrides: Partial<Enquiry> = {}): Sent<CreateLead> => ({
  id: newId(),
  channel: "phone",
  lead: anEnquiry(overrides),
});

/** One lead that waits, one that can become a case, and one that was lost. */
export async function leadsOf({ api }: TestPractice, lastName: string) {
  const add = (email = "") => api.leads.create.mutate(aLead({ lastName, email, phone: "" }));
  const [lead, ready, lost] = [await add("who.asks@example.org"), await add(), await add()];
  let { version } = ready;
  for (const to of ["contacted", "qualified", "awaiting_p2"] as const)
    ({ version } = await api.leads.move.mutate({ id: ready.id, version, to }));
  await api.leads.lose.mutate({ id: lost.id, version: lost.version, reason: "price", note: lastName });
  return { leadId: lead.id, readyLeadId: ready.id, lostLeadId: lost.id };
}

const owner = { access: "owner" } as const;

/** The procedures of leads: the owner's alone. */
export const LEADS_ACCESS: Record<string, Door> = {
  "leads.list": {
    ...owner,
    input: () => ({ search: "canary", state: "all" }),
    more: [() => ({ sort: "name", source: "solicitor" }), () => ({ age: "week", state: "lost", isDescending: true })],
    stranger: "own",
  },
  "leads.board": { ...owner, input: () => ({ search: "canary" }), more: [() => ({})], stranger: "own" },
  "leads.get": { ...owner, input: ({ leadId }) => ({ id: leadId }), stranger: "missing" },
  "leads.ofClient": { ...owner, input: ({ clientId }) => ({ id: clientId }), stranger: "own" },
  "leads.create": { ...owner, input: () => aLead(), stranger: "own" },
  "leads.update": {
    ...owner,
    input: ({ leadId }) => ({ id: leadId, version: 0, lead: anEnquiry() }),
    stranger: "missing",
  },
  "leads.lookAtConflict": { ...owner, input: ({ leadId }) => ({ id: leadId, version: 0 }), stranger: "missing" },
  "leads.move": {
    ...owner,
    input: ({ leadId }) => ({ id: leadId, version: 0, to: "contacted" }),
    stranger: "missing",
  },
  "leads.noteCall": { ...owner, input: ({ leadId }) => ({ id: leadId, version: 0 }), stranger: "missing" },
  "leads.setSpam": { ...owner, input: ({ leadId }) => ({ ids: [leadId], isSpam: true }), stranger: "own" },
  "leads.lose": {
    ...owner,
    input: ({ leadId }) => ({ id: leadId, version: 0, reason: "price", note: "" }),
    stranger: "missing",
  },
  "leads.reopen": { ...owner, input: ({ lostLeadId }) => ({ id: lostLeadId, version: 1 }), stranger: "missing" },
  "leads.convert": {
    ...owner,
    input: ({ readyLeadId }) => {
      const { id: _id, ...intake } = anIntake();
      return { changeId: newId(), id: readyLeadId, version: 3, intake };
    },
    stranger: "missing",
  },
  "leads.write": {
    access: "owner",
    input: ({ leadId }) => ({ id: leadId, changeId: newId(), subject: "Your message", text: "We will phone you." }),
    stranger: "missing",
  },
  "leads.erase": { ...owner, input: ({ leadId }) => ({ id: leadId }), stranger: "missing" },
  "leads.report": { ...owner, input: () => ({ from: "2020-01-01", until: "2040-01-01" }), stranger: "own" },
  "leads.settings": { ...owner, stranger: "own" },
  "leads.setSettings": { ...owner, input: () => ({ isReplyOn: true }), stranger: "own" },
};
