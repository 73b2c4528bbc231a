// Somebody of a case is not safe to mediate: of two other sides one is still invited, once it is said why the others mediate
// without them.
import { sidesTakingPart } from "@app/shared/case-states";
import { now } from "../../core/clock.ts";
import type { Scope } from "../../core/trpc.ts";
import type { CaseDoc, PartyDoc } from "../cases/case-parties.service.ts";
import { countsHere } from "../screenings/found-elsewhere.service.ts";
import type { Missing } from "../screenings/missing-then.service.ts";
import { lastFoundUnsafe, unsafeAt } from "../screenings/past-screenings.service.ts";
import { isSomebodyUnsafe } from "../screenings/screening-gates.service.ts";
import { AttemptModel } from "./attempts.model.ts";

/** Whoever said no, or left, and is asked again counts among those who are to be safe. */
const askedIn = ({ _id, parties }: OfCase, { partyId }: Asked) => ({
  _id,
  parties: parties.map((one) => ({ ...one, status: one.partyId === partyId ? ("invited" as const) : one.status })),
});

type OfCase = Pick<CaseDoc, "_id" | "parties">;
type Asked = Pick<PartyDoc, "partyId">;

/** Nobody is invited, or only with a reason for going on without these; nothing where nobody is unsafe, or that was said. */
export type Beside = { what: "nothing" | "nobody" } | { what: "reason"; missing: Missing[] };

/** What of the safety of the others keeps this party from being invited. */
export async function unsafeBeside(scope: Scope, theCase: OfCase, party: Asked): Promise<Beside> {
  const asked = askedIn(theCase, party);
  if (!(await isSomebodyUnsafe(scope, asked))) return { what: "nothing" };
  const { texts, others } = await unsafeAmong(scope, asked);
  const isTheirs = !others.some(({ partyId }) => partyId === party.partyId);
  if (isTheirs || sidesTakingPart(others) < 2) return { what: "nobody" };
  const explained = await explainedIn(scope, theCase._id);
  const open = texts.filter((text) => !explained.has(text));
  return open.length === 0
    ? { what: "nothing" }
    : { what: "reason", missing: open.map((text) => ({ text, isSafety: true })) };
}

/** Who is not safe, in words, and who is left without them. */
async function unsafeAmong(scope: Scope, { _id: caseId, parties }: ReturnType<typeof askedIn>) {
  const texts: string[] = [];
  const others: typeof parties = [];
  for (const party of parties.filter(countsHere)) {
    const found = await unsafeAt(scope, { caseId, parties: [party], at: now() });
    texts.push(...found);
    if (found.length === 0) others.push(party);
  }
  return { texts, others };
}

/** For what a reason was given with an earlier invitation, and nobody was found not safe since. */
async function explainedIn(scope: Scope, caseId: string): Promise<Set<string>> {
  const { ownerId } = scope;
  const given = await AttemptModel.find({ ownerId, caseId, takenBackAt: null }, { unmet: 1, at: 1 }).lean();
  const found = await lastFoundUnsafe(scope, caseId);
  const since = given.filter(({ at }) => found === null || at >= found);
  return new Set(since.flatMap(({ unmet = [] }) => unmet.map(({ text }) => text)));
}
