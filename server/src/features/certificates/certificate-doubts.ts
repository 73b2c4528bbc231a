// Why whoever signed a certificate is asked to look at it again, and the task that asks them.
import type { Needs } from "../../core/needs.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceToday } from "../practices/practices.service.ts";
import { createMissingTasks } from "../tasks/tasks.service.ts";
import { changeAbout, reopeningAbout, saidAbout } from "./certificate-tasks.ts";
import type { CertificateDoc } from "./certificates.model.ts";

export const REOPENED =
  "the case was reopened after it said that somebody does not take part, and nobody has asked them anew. Tell whoever has it, and decide whether a new one replaces it";
export const NOT_RECORDED = "what it says is not recorded any more. If it was never so, declare it void";
export const GOES_ON =
  "things changed after it said that mediation is not suitable or over. Tell whoever has it, and decide whether a new one replaces it";
export const STRUCK =
  "the screening on which its MIAM rested was struck, and without a risk assessment it was no MIAM yet. Record the right one, or declare it void";
export const JOINED =
  "another participant joined after it said that nobody else had agreed to a MIAM. Tell whoever has it, and decide whether a new one replaces it";
export const ANSWERED =
  "somebody answered after it said that nobody else had agreed to a MIAM. Tell whoever has it, and decide whether a new one replaces it";
export const ATTENDED_ELSEWHERE =
  "a MIAM elsewhere was recorded after it said that nobody else had agreed to one. Tell whoever has it, and decide whether a new one replaces it";
export const CAME_BACK =
  "somebody came back after it said that they do not wish to start or continue. Tell whoever has it, and decide whether a new one replaces it";

const ABOUT = new Map([
  [NOT_RECORDED, saidAbout],
  [REOPENED, reopeningAbout],
]);

export async function ask(
  scope: Scope,
  certificate: CertificateDoc,
  because: string,
  needs: Needs = null,
): Promise<void> {
  const { number, caseId, clientId, issuedBy } = certificate;
  const about = (ABOUT.get(because) ?? changeAbout)(certificate);
  const title = `Look again at certificate ${number}: ${because}`;
  const dueOn = await practiceToday(scope.ownerId);
  await createMissingTasks(scope, [{ title, dueOn, assigneeId: issuedBy, caseId, clientId, needs, about }]);
}
