// Which rungs there are for each kind of case.
import { DEFAULT_RUNGS } from "@app/shared/default-rungs";
import type { z } from "zod";
import { CASE_DOMAINS, type CaseDomain } from "@app/shared/case-transitions";
import {
  type askRungWordsSchema,
  type Ladder,
  type Rung,
  type rungWordsSchema,
  type updateLadderSchema,
} from "@app/shared/ladders";
import { isDuplicateKey } from "../../core/database.ts";
import { stale } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { invitationTemplate } from "../mail-templates/mail-templates.service.ts";
import { getPractice } from "../practices/practices.service.ts";
import { LadderModel } from "./ladders.model.ts";

/** The practice's ladder for each kind of case. */
export async function listLadders({ ownerId }: Scope): Promise<{ items: Ladder[] }> {
  const docs = await LadderModel.find({ ownerId }).lean();
  const items = CASE_DOMAINS.map((domain): Ladder => {
    const own = docs.find((doc) => doc.domain === domain);
    return { domain, rungs: own?.rungs ?? [...DEFAULT_RUNGS[domain]], version: own?.version ?? 0 };
  });
  return { items };
}

/** What an attempt in a case of this kind goes by now. */
export async function rungsOf(ownerId: string, domain: CaseDomain): Promise<readonly Rung[]> {
  return (await LadderModel.findOne({ ownerId, domain }).lean())?.rungs ?? DEFAULT_RUNGS[domain];
}

export async function updateLadder(
  { ownerId }: Scope,
  { domain, rungs, version }: z.output<typeof updateLadderSchema>,
): Promise<Ladder> {
  const next = { domain, rungs, version: version + 1 };
  if (version > 0) {
    const { matchedCount } = await LadderModel.updateOne({ ownerId, domain, version }, { $set: next });
    if (matchedCount === 0) throw stale("ladder");
    return next;
  }
  try {
    await LadderModel.create([{ ...next, ownerId }]);
  } catch (error) {
    if (isDuplicateKey(error)) throw stale("ladder");
    throw error;
  }
  return next;
}

/** What a rung's template says; null where it has none, or the practice deleted it. */
export async function rungWords(
  scope: Scope,
  { domain, template }: z.output<typeof askRungWordsSchema>,
): Promise<z.infer<typeof rungWordsSchema>> {
  if (template === "") return null;
  const { region } = await getPractice(scope);
  const found = await invitationTemplate(scope, { kind: domain, region }, template);
  return found && { subject: found.subject, body: found.body };
}
