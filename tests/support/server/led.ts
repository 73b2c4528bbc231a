// Cases that were led to where a test begins, by the calls that the page makes.
import { newId } from "@app/server/core/ids";
import type { CaseStatus, PartyStatus } from "@app/shared/case-states";
import type { Case, CreateCase } from "@app/shared/cases";
import type { Confidences } from "@app/shared/confidences";
import { anAssessment, authorise } from "./assessments.ts";
import { aCase, aCaseInput, aClient, ledBy, type TestPractice } from "./people.ts";
import { mediated } from "./mediated.ts";
import { aScreening } from "./screened.ts";

export const TODAY = new Date().toISOString().slice(0, 10);

/** A client of this name. */
export async function aNamedClient({ api }: Pick<TestPractice, "api">, name: string): Promise<string> {
  const [firstName = "", lastName = ""] = name.split(" ");
  const email = `${firstName.toLowerCase()}.${newId()}@example.org`;
  return (await api.clients.create.mutate(aClient({ firstName, lastName, email, phones: [] }))).id;
}

type Owner = Pick<TestPractice, "api" | "ownerId">;

/** A case of people of these names, and how to lead it on. */
export async function aLedCase(owner: Owner, names: readonly string[], overrides: Partial<CreateCase> = {}) {
  const clientIds: string[] = [];
  for (const name of names) clientIds.push(await aNamedClient(owner, name));
  const input = aCaseInput(clientIds, { ...ledBy(owner.ownerId), ...overrides });
  return leading(owner, (await owner.api.casework.create.mutate(input)).id);
}

/** A case of two new clients in which mediation has begun, by an agreement that keeps confidences. */
export async function aMediatedCase(owner: Owner, overrides: Partial<CreateCase> = {}) {
  const built = await aCase(owner, overrides);
  const led = leading(owner, built.theCase.id, "kept");
  if (await mediated(owner, built.theCase, TODAY)) return { ...built, theCase: await led.now() };
  await authorise(owner);
  const theCase = await led.mediate();
  return { ...built, theCase };
}

/** Leads this case on: each method takes steps of it, one after the other. */
export function leading({ api, ownerId }: Owner, caseId: string, confidences: Confidences | null = null) {
  const now = () => api.cases.get.query({ id: caseId });
  const partyIn = (theCase: Case, index: number) => {
    const party = theCase.parties[index];
    if (!party) throw new Error(`there is no party ${index}`);
    return { theCase, party, at: { id: caseId, version: theCase.version, partyId: party.partyId } };
  };
  const partyAt = async (index: number) => partyIn(await now(), index);
  /** Goes on from the case as the last call answered with it. */
  const moveFrom = async (from: Case, index: number, states: readonly PartyStatus[]): Promise<Case> => {
    let theCase = from;
    for (const to of states) {
      const asked = to === "agreement_signed" && theCase.confidences === null;
      const usual = theCase.domain === "family" ? ("none" as const) : ("kept" as const);
      theCase = await api.casework.moveParty.mutate({
        ...partyIn(theCase, index).at,
        to,
        on: TODAY,
        reason: "",
        confidences: asked ? (confidences ?? usual) : null,
      });
    }
    return theCase;
  };
  const led = {
    caseId,
    now,
    /** Where the case is seen as of this party. */
    async page(index: number): Promise<string> {
      const { party } = await partyAt(index);
      return `/clients/view/${party.clientId}?tab=case&case=${caseId}`;
    },
    async clear(): Promise<void> {
      await api.conflicts.decide.mutate({ id: newId(), caseId, decision: "clear", reason: "" });
    },
    async move(...states: CaseStatus[]): Promise<void> {
      let { version } = await now();
      for (const to of states) ({ version } = await api.casework.move.mutate({ id: caseId, version, to, reason: "" }));
    },
    /** Whoever came first says that the others may be contacted. */
    async agreeToContact(said: { isNamed: boolean } = { isNamed: false }): Promise<void> {
      const { at } = await partyAt(0);
      await api.casework.recordContactAgreement.mutate({ ...at, ...said, isAgreed: true, on: TODAY });
    },
    /** By a letter of today. */
    async invite(index: number): Promise<void> {
      if (!(await partyAt(0)).party.contactAgreement) await led.agreeToContact();
      const { at } = await partyAt(index);
      const letter = { channel: "post" as const, on: TODAY, wording: "A letter" };
      await api.casework.inviteParty.mutate({ ...at, ...letter, changeId: newId() });
    },
    async party(index: number, ...states: PartyStatus[]): Promise<void> {
      await moveFrom(await now(), index, states);
    },
    async screen(index: number): Promise<void> {
      const { theCase, party } = await partyAt(index);
      await api.screenings.complete.mutate(aScreening(theCase, party.partyId));
    },
    /** Answers, does the intake, comes to the first meeting alone and is found suitable. */
    async assess(...indexes: number[]): Promise<void> {
      for (const index of indexes) {
        const theCase = await moveFrom(await now(), index, ["responded", "intake_done", "miam_booked"]);
        const { party } = partyIn(theCase, index);
        await api.screenings.complete.mutate(aScreening(theCase, party.partyId));
        const whose = { caseId, partyId: party.partyId, mediatorId: ownerId };
        if (theCase.domain === "family")
          await api.assessments.record.mutate(anAssessment(whose, { attendedOn: TODAY }));
        else await led.party(index, "miam_attended");
      }
    },
    async sign(...indexes: number[]): Promise<void> {
      for (const index of indexes) {
        const { party, at } = await partyAt(index);
        const { side, role, representativeContactIds } = party;
        const fields = { side, role, representativeContactIds, consentedOn: TODAY };
        await moveFrom(await api.casework.updateParty.mutate({ ...at, ...fields }), index, ["agreement_signed"]);
      }
    },
    /** From the first call to mediation with all who are in it. */
    async mediate(): Promise<Case> {
      await led.clear();
      await led.move("intake", "awaiting_second_party");
      const everybody = (await now()).parties.keys().toArray();
      await led.assess(...everybody);
      await led.move("assessing");
      await led.sign(...everybody);
      await led.move("ready", "in_mediation");
      return now();
    },
  };
  return led;
}
