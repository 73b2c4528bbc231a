// What lets something of a case out of it is recorded before anything goes.
import type { z } from "zod";
import type { Case } from "@app/shared/cases";
import {
  coversAll,
  type Disclosure,
  DISCLOSURES_MAX,
  type endDisclosureSchema,
  type Ground,
  ONLY_THEY_RECORD,
  type recordDisclosureSchema,
} from "@app/shared/disclosures";
import { addDays } from "@app/shared/days";
import { answersFor } from "@app/shared/team-access";
import { instantOf } from "@app/shared/wall-time";
import { now } from "../../core/clock.ts";
import { badField, forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { tellOfStep } from "../cases/case-changes.service.ts";
import { assertAlive, assertNotLongBefore } from "../cases/case-days.service.ts";
import { type CaseDoc, partyIn } from "../cases/case-parties.service.ts";
import { changedCase } from "../cases/cases.service.ts";
import { filesOf } from "../files/marked-files.service.ts";
import { isInside } from "../mail/gate-files.service.ts";
import { directoryFor } from "../mail/gate-people.service.ts";
import { assertNotLater } from "../practices/past-days.service.ts";
import { practiceTimeZone } from "../practices/practices.service.ts";
import { lastBegunAt } from "../sessions/sessions.service.ts";
import { assertNotOlder } from "../visibility/consent-age.service.ts";

/** Records each party's consent, a court's order, or a law that overrides; only then may what it names go out of the mediation. */
export async function recordDisclosure(scope: Scope, input: z.output<typeof recordDisclosureSchema>): Promise<Case> {
  const { disclosureId, what, ground, hasReport, court = "" } = input;
  const fileIds = [...new Set(input.fileIds)];
  const to = [...new Set(input.to)];
  for (const on of daysOf(ground)) await assertNotLater(scope, "ground", on);
  return changedCase(scope, input, async (draft) => {
    if (!answersFor(scope, draft.mediators)) throw forbidden(ONLY_THEY_RECORD);
    if (draft.disclosures.some(({ id }) => id === disclosureId))
      throw badField("disclosureId", "This is recorded already, and stands with the others of the case.");
    if (draft.disclosures.length >= DISCLOSURES_MAX)
      throw wrongState(`A case has at most ${DISCLOSURES_MAX} records of what may be told outside it.`);
    await assertOfAll(scope, draft, ground);
    await assertOutside(draft, to);
    const saidAt = await assertOfCase(scope, draft, fileIds);
    if (hasReport) saidAt.push(await reportedAt(scope, draft));
    if (ground.kind === "consents") await assertNewEnough(scope, ground, saidAt);
    else await assertNotLongBefore(scope, draft, "ground", ground.on);
    draft.disclosures.push({
      id: disclosureId,
      what,
      fileIds,
      to,
      hasReport,
      court,
      ground,
      at: now(),
      byName: scope.userName,
      endedAt: null,
      endReason: "",
    });
    await tellOfStep(scope, draft, {
      text: `May be told outside the mediation (${WHY[ground.kind]}): ${what}. ${scopeWords({ fileIds, to: court === "" ? to : [...to, court], hasReport })}`,
    });
  });
}

/** A law may forbid that whoever it is about hears of it: which duty it is stays with the record. */
const WHY = {
  consents: "consent of every party",
  order: "order of a court",
  law: "a law that overrides",
} as const satisfies Record<Ground["kind"], string>;

/** Without the names of the files: not everybody who reads this may read those. */
function scopeWords({ fileIds, to, hasReport }: Pick<Disclosure, "fileIds" | "to" | "hasReport">): string {
  const files = `${fileIds.length} ${fileIds.length === 1 ? "file" : "files"}`;
  const what = [...(fileIds.length > 0 ? [files] : []), ...(hasReport ? ["the report to a court"] : [])];
  return `That is ${what.join(" and ")}${to.length > 0 ? `, for ${to.join(", ")}` : ""}`;
}

/** Whoever is in the case reads what is released to them: nobody lets out to one what another said, by way of a record. */
async function assertOutside({ ownerId, _id: caseId }: CaseDoc, to: string[]): Promise<void> {
  const directory = await directoryFor({ ownerId, addresses: to, clientIds: [], caseIds: [caseId] });
  const inside = to.find((address) => isInside(directory, { caseId, readerIds: null }, address));
  if (inside !== undefined)
    throw badField(
      "to",
      `${inside} is the address of a party of this case, or of somebody who represents one. Take it out: they get files that are released to them with consent.`,
    );
}

/** When each of these files came to be what it is. */
async function assertOfCase(scope: Scope, { _id: id, mediators }: CaseDoc, fileIds: string[]): Promise<Date[]> {
  const files = await filesOf(scope, { id, mediators }, fileIds);
  if (files.length < fileIds.length)
    throw badField("fileIds", "One of these files is not in this case any more. Choose among those that are.");
  return files.map(({ saidAt }) => saidAt);
}

/** What there is to report of a case is told of its sessions, and before the first of them of what was begun. */
const reportedAt = async (scope: Scope, { _id, createdAt }: CaseDoc): Promise<Date> =>
  (await lastBegunAt(scope, _id)) ?? createdAt;

type Consents = Extract<Ground, { kind: "consents" }>;

/** The rule of every release; a consent with a day and no time may have been given until that day was over. */
async function assertNewEnough(scope: Scope, { consents }: Consents, saidAt: readonly Date[]): Promise<void> {
  const timeZone = await practiceTimeZone(scope.ownerId);
  for (const { on } of consents) {
    const dayEnds = instantOf(timeZone, { day: addDays(on, 1), time: "00:00" });
    for (const said of saidAt) assertNotOlder("ground", dayEnds, said);
  }
}

const daysOf = (ground: Ground): string[] =>
  ground.kind === "consents" ? ground.consents.map(({ on }) => on) : [ground.on];

/** One party's consent lets nothing out: it takes everybody's. */
async function assertOfAll(scope: Scope, draft: CaseDoc, ground: Ground): Promise<void> {
  if (ground.kind !== "consents") return;
  for (const { partyId, on } of ground.consents) await assertAlive(scope, partyIn(draft, partyId), "ground", on);
  if (!coversAll(ground, draft.parties))
    throw badField(
      "ground",
      "It takes the consent of everybody who took part in this case, also of those who left it.",
    );
}

export const endDisclosure = (scope: Scope, input: z.output<typeof endDisclosureSchema>): Promise<Case> =>
  changedCase(scope, input, async (draft) => {
    const disclosure = draft.disclosures.find(({ id }) => id === input.disclosureId);
    if (!disclosure) throw badField("disclosureId", "This record is not on the case any more. Look at those that are.");
    if (disclosure.endedAt !== null) throw wrongState("This has ended already.");
    Object.assign(disclosure, { endedAt: now(), endReason: input.reason });
    await tellOfStep(scope, draft, {
      text: `May not be told outside the mediation any more: ${disclosure.what} (${input.reason})`,
    });
  });
