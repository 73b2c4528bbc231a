// Everything that decides about a mail to one client: who they are, who else is in the case, and what may be said.
import type { Case, Party } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import { dayIn } from "@app/shared/days";
import { samePerson } from "@app/shared/email-address";
import type { MergeValues } from "@app/shared/merge-fields";
import type { Dates } from "../../core/dates.ts";
import { now } from "../../core/clock.ts";
import { notFound } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { sidesOf } from "../cases/case-sides.service.ts";
import { getCase, listCasesOfClient } from "../cases/cases.service.ts";
import { type ClientAtAddress, clientsAtAddresses } from "../clients/client-addresses.service.ts";
import { getClient } from "../clients/clients.service.ts";
import { type ContactInCase, contactsInCases } from "../contacts/contact-sides.service.ts";
import { type ComingMeeting, comingMeetings } from "../meetings/meeting-invitations.service.ts";
import { practiceDates, practiceNameOf, practiceTimeZone } from "../practices/practices.service.ts";
import { colleagues } from "../users/users.service.ts";
import { caseValuesOf } from "./compose-case-values.ts";
import { invitationValuesOf } from "./invitation-values.ts";
import { valuesOf } from "./compose-values.ts";

export interface Place {
  clientId: string;
  caseId: string | null;
}

/** Somebody whose address the practice knows in connection with this client. */
export interface Known {
  name: string;
  address: string;
  label: string;
  role: string;
  isOtherParty: boolean;
}

/** Of somebody in a case that whoever writes does not see. */
export const HIDDEN_ROLE = "not for this message";

/** What may be said to this client, and when and by whom. */
export interface Sayable {
  client: Client;
  theCase: Case | null;
  /** Whom the mail is for, as a party; null without a case. */
  party: Party | null;
  practiceName: string;
  dates: Dates;
  senderName: string;
  meetings: ComingMeeting[];
  values: MergeValues;
}

export interface Facts extends Sayable {
  /** Those of this side first; an address that is on both sides belongs to the other. */
  known: Known[];
}

/** Throws NOT_FOUND where this person sees no such client, or where the client is no party of the case. */
export async function sayableOf(scope: Scope, { clientId, caseId }: Place, leavesAt: Date = now()): Promise<Sayable> {
  const client = await getClient(scope, clientId);
  const theCase = caseId ? await getCase(scope, caseId) : null;
  const party = theCase?.parties.find((one) => one.clientId === clientId) ?? null;
  if (theCase && !party) throw notFound("This client’s part in the case");
  const meetings = theCase && party ? await comingMeetings(scope, theCase, party.partyId) : [];
  const people = await colleagues(scope.ownerId);
  const facts = {
    client,
    theCase,
    party,
    practiceName: await practiceNameOf(scope.ownerId),
    dates: await practiceDates(scope.ownerId),
    senderName: scope.userName,
    meetings,
  };
  const lead = theCase?.mediators.find(({ isLead }) => isLead) ?? theCase?.mediators[0];
  const mediatorName = people.find(({ userId }) => userId === lead?.userId)?.name ?? scope.userName;
  const ofCase =
    theCase && party
      ? {
          ...(await caseValuesOf(scope, theCase, party, leavesAt)),
          ...invitationValuesOf(theCase, party, client, dayIn(await practiceTimeZone(scope.ownerId), leavesAt)),
        }
      : {};
  return { ...facts, values: valuesOf(facts, { mediatorName, ofCase }) };
}

/** What may be said, and everybody whose address is known here. Throws like `sayableOf`. */
export async function factsOf(scope: Scope, place: Place, leavesAt?: Date): Promise<Facts> {
  const sayable = await sayableOf(scope, place, leavesAt);
  return { ...sayable, known: await knownOf(scope, sayable) };
}

/** Looks at every case of the client, also at those that this person does not see: the other party must not get it. */
async function knownOf(scope: Scope, { client, theCase, party }: Pick<Facts, "client" | "theCase" | "party">) {
  const everywhere = { ...scope, isAssignedOnly: false, role: 1 as const };
  const cases = await listCasesOfClient(everywhere, client.id);
  const all = theCase && !cases.some(({ id }) => id === theCase.id) ? [theCase, ...cases] : cases;
  const own: Known[] = [
    { name: client.displayName, address: client.email, label: party?.label ?? "", role: "", isOtherParty: false },
  ];
  const seen = scope.isAssignedOnly ? await listCasesOfClient(scope, client.id) : all;
  const ids = all.flatMap(({ parties }) => parties.map(({ clientId }) => clientId));
  const others = await clientsAtAddresses(scope.ownerId, { addresses: [], ids });
  const helpers = await contactsInCases(scope.ownerId, all.map(sidesOf));
  for (const each of all) {
    const people = peopleOf(each, { client, theCase, others, helpers: helpers.get(each.id) ?? [] });
    own.push(...(seen.some(({ id }) => id === each.id) ? people : people.map(withoutName)));
  }
  return own.filter(({ address }) => address !== "");
}

/** What somebody may know who does not see the case: that this address must not get it. */
const withoutName = ({ address, isOtherParty }: Known): Known => ({
  name: address,
  address,
  label: "",
  role: HIDDEN_ROLE,
  isOtherParty,
});

interface People extends Pick<Facts, "client" | "theCase"> {
  others: readonly ClientAtAddress[];
  helpers: readonly ContactInCase[];
}

function peopleOf(each: Case, { client, theCase, others, helpers }: People): Known[] {
  const self = each.parties.find(({ clientId }) => clientId === client.id);
  const isShown = each.id === theCase?.id;
  const found: Known[] = [];
  for (const other of each.parties) {
    if (other.clientId === client.id) continue;
    const known = others.find(({ id }) => id === other.clientId);
    if (!known) continue;
    const { name, email: address } = known;
    found.push({ name, address, label: isShown ? other.label : "", role: "other participant", isOtherParty: true });
  }
  for (const contact of helpers) {
    const isOtherParty = contact.partyId !== null && contact.partyId !== self?.partyId;
    // Whoever helps this client in another case is no choice here, and no danger either.
    if (!isShown && !isOtherParty) continue;
    const side = each.parties.find(({ partyId }) => partyId === contact.partyId)?.label ?? "";
    found.push({
      name: contact.name,
      address: contact.email,
      label: isOtherParty && isShown ? side : "",
      role: side && isShown ? `${contact.role} for ${side}` : contact.role,
      isOtherParty,
    });
  }
  return found;
}

/** Who stands behind an address; whoever is on the other side goes first, so that nobody gets round it. */
export function personAt(facts: Facts, address: string): Known | undefined {
  const found = facts.known.filter((one) => samePerson(one.address, address));
  return found.find(({ isOtherParty }) => isOtherParty) ?? found[0];
}
