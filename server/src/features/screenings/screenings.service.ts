import { type CompleteScreening, type Screening, SCREENING_TOOL_VERSION } from "@app/shared/screenings";
import { caucusOf } from "@app/shared/visibility";
import { now } from "../../core/clock.ts";
import { inTransaction } from "../../core/database.ts";
import { notFound } from "../../core/errors.ts";
import { newId } from "../../core/ids.ts";
import type { Logger } from "../../core/logger.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { recordEvent } from "../history/history.service.ts";
import { createTasks } from "../tasks/tasks.service.ts";
import { type ScreeningDoc, ScreeningModel, sealContent, toScreening } from "./screenings.model.ts";

const SCREENINGS_MAX = 200;
/** That somebody was screened, and what follows from it, is told only to those who may read screenings. */
const NEEDS = "screening.read";

/** Every screening of a case, the newest first. The reading itself is logged. */
export async function listScreenings(
  { scope, log }: { scope: Scope; log: Logger },
  caseId: string,
): Promise<{ items: Screening[] }> {
  const items = await screeningsOf(scope, caseId);
  log.info({ event: "screenings read", caseId, count: items.length }, "audit");
  return { items };
}

async function screeningsOf(scope: Scope, caseId: string): Promise<Screening[]> {
  await getCase(scope, caseId);
  const docs = await ScreeningModel.find({ ownerId: scope.ownerId, caseId })
    .sort({ completedAt: -1, _id: -1 })
    .limit(SCREENINGS_MAX)
    .lean();
  return docs.map(toScreening);
}

/** Records a completed screening; the earlier ones of this party are superseded. High risk makes a task at once. */
export async function completeScreening(scope: Scope, input: CompleteScreening): Promise<Screening> {
  const theCase = await getCase(scope, input.caseId);
  const party = requireParty(theCase, input.partyId);
  const { caseId, partyId, risk, measures, suitable, ...content } = input;
  const id = newId();
  const created = await inTransaction(async () => {
    await ScreeningModel.updateMany(
      { ownerId: scope.ownerId, caseId, partyId, status: "completed" },
      { $set: { status: "superseded" } },
    );
    const [doc] = await ScreeningModel.create([
      {
        _id: id,
        ownerId: scope.ownerId,
        caseId,
        partyId,
        risk,
        measures,
        suitable,
        toolVersion: SCREENING_TOOL_VERSION,
        status: "completed",
        contentEnc: sealContent(scope.ownerId, id, content),
        completedAt: now(),
        completedByName: scope.userName,
      },
    ]);
    await recordEvent(scope, {
      kind: "case",
      text: `${party.label} screened for safety and suitability`,
      caseId,
      clientIds: [party.clientId],
      visibility: caucusOf(partyId),
      needs: NEEDS,
    });
    if (risk === "high" || risk === "stop") {
      const title = `Safety: decide what follows from the screening of ${party.label}`;
      const links = { caseId, clientId: party.clientId };
      await createTasks(scope, [{ title, ...links, dueOn: null, assigneeId: scope.userId, needs: NEEDS }]);
    }
    return doc;
  });
  if (!created) throw new Error("the screening that was just stored is missing");
  return toScreening(created.toObject());
}

/** One of a case, found as everybody finds it who may add it. */
export async function getScreening(
  scope: Scope,
  id: string,
  { caseId }: Pick<CompleteScreening, "caseId">,
): Promise<Screening> {
  const screening = (await screeningsOf(scope, caseId)).find((each) => each.id === id);
  if (!screening) throw notFound("Screening");
  return screening;
}

/** The latest completed screening of each party of a case: whether it allows mediation, and nothing of what was said. */
export async function latestScreenings(
  scope: Scope,
  caseId: string,
): Promise<Map<string, Pick<ScreeningDoc, "partyId" | "suitable" | "risk" | "measures" | "completedAt">>> {
  const docs = await ScreeningModel.find(
    { ownerId: scope.ownerId, caseId, status: "completed" },
    { partyId: 1, suitable: 1, risk: 1, measures: 1, completedAt: 1 },
  )
    .sort({ completedAt: 1 })
    .lean();
  return new Map(docs.map((doc) => [doc.partyId, doc]));
}
