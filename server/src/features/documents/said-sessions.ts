// What a text says of sessions that were held, beside those that are recorded when it is finished.
import type { Case } from "@app/shared/cases";
import type { DocumentContent } from "@app/shared/document-content";
import { fieldName } from "@app/shared/document-fields";
import { fieldsIn } from "@app/shared/document-walk";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { practiceDates } from "../practices/practices.service.ts";
import { mediatedSessions } from "../sessions/mediated-sessions.service.ts";

const COUNT = "case.sessionsHeld";
const DAYS = ["case.firstSession", "case.lastSession"];

export const sessionsSaid = (content: DocumentContent): { path: string; said: string }[] =>
  fieldsIn(content).flatMap(({ attrs: { path, said } }) =>
    said !== null && (path === COUNT || DAYS.includes(path)) ? [{ path, said }] : [],
  );

/** Throws where it tells of a session that is not recorded any more; of one that was held since it need not tell. */
export async function assertHeld(scope: Scope, theCase: Case, content: DocumentContent): Promise<void> {
  const told = sessionsSaid(content);
  if (told.length === 0) return;
  const [sessions, dates] = await Promise.all([mediatedSessions(scope, theCase), practiceDates(scope.ownerId)]);
  const days = new Set(sessions.flatMap(({ heldOn }) => (heldOn ? [dates.calendarDay(heldOn)] : [])));
  const isHeld = ({ path, said }: (typeof told)[number]) =>
    path === COUNT ? Number.parseInt(said, 10) <= sessions.length : days.has(said);
  const gone = told.filter((one) => !isHeld(one)).map(({ path, said }) => `${fieldName(path)}: “${said}”`);
  if (gone.length > 0)
    throw wrongState(
      `This text tells of sessions that are not recorded, or not since the case was reopened. ${[...new Set(gone)].join("; ")}. Write in its place what is right, or begin a new document from the template.`,
    );
}
