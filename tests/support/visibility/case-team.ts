import { newId } from "@app/server/core/ids";
import type { Case } from "@app/shared/cases";
import type { TestPerson } from "../server/people.ts";

type Caller = Pick<TestPerson, "api">;
type Which = Pick<Case, "id">;

interface Change {
  mediators?: string[];
  staffIds?: string[];
  /** Who referred it; empty for nobody. */
  referrerId?: string;
}

/** Saves the case as its form of now would send it, with other people on it. */
export async function changeTeam(owner: Caller, person: Caller, { id }: Which, team: Change) {
  const current = await owner.api.cases.get.query({ id });
  const { domain, issueScope, matter, format, children, referral, flags, startedOn, nextReviewOn, version } = current;
  const mediators = team.mediators?.map((userId, index) => ({ userId, isLead: index === 0 })) ?? current.mediators;
  return person.api.casework.update.mutate({
    id,
    version,
    domain,
    issueScope,
    matter,
    format,
    children,
    referral: { ...referral, contactId: team.referrerId ?? referral.contactId },
    flags,
    startedOn,
    nextReviewOn,
    mediators,
    staffIds: team.staffIds ?? current.staffIds,
  });
}

/** The ways in which a contact comes to belong to a case, and belongs to it no more, each as a call of this person. */
export const WAYS_TO_BELONG: Record<
  string,
  Record<"add" | "remove", (person: Caller, theCase: Which, contactId: string) => Promise<unknown>>
> = {
  "a link": {
    add: ({ api }, { id: caseId }, id) =>
      api.contacts.link.mutate({ changeId: newId(), id, caseId, role: "solicitor", partyId: null }),
    remove: ({ api }, { id: caseId }, id) =>
      api.contacts.unlink.mutate({ id, caseId, role: "solicitor", partyId: null }),
  },
  "standing for a party": {
    add: (person, theCase, contactId) => represent(person, theCase, [contactId]),
    remove: (person, theCase) => represent(person, theCase, []),
  },
  "paying for a party": { add: pay, remove: (person, theCase) => pay(person, theCase, "") },
  "referring it": {
    add: (person, theCase, referrerId) => changeTeam(person, person, theCase, { referrerId }),
    remove: (person, theCase) => changeTeam(person, person, theCase, { referrerId: "" }),
  },
};

async function represent({ api }: Caller, { id }: Which, representativeContactIds: string[]) {
  const { version, parties } = await api.cases.get.query({ id });
  const [first] = parties;
  const { partyId = "", role = "initiator", side = "", consentedOn = "" } = first ?? {};
  return api.casework.updateParty.mutate({ id, version, partyId, role, side, consentedOn, representativeContactIds });
}

async function pay({ api }: Caller, { id }: Which, payerContactId: string) {
  const { version, parties } = await api.cases.get.query({ id });
  const funded = parties.map(({ partyId, funding }) => ({ partyId, funding: { ...funding, payerContactId } }));
  return api.casework.setFunding.mutate({ id, version, parties: funded });
}
