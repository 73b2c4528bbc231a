// A letter that nobody answered is shown to courts, as a certificate is: it says how somebody was tried, and what came of
// it, as that is recorded.
import { partyStatusName, sideOf } from "@app/shared/case-states";
import type { Case, Party } from "@app/shared/cases";
import { firstSide } from "@app/shared/contact-agreements";
import type { DocumentContent } from "@app/shared/document-content";
import { fieldName } from "@app/shared/document-fields";
import { fieldsIn } from "@app/shared/document-walk";
import { inWords } from "@app/shared/in-words";
import type { Attempt } from "@app/shared/ladders";
import { now } from "../../core/clock.ts";
import { wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { findCaseDoc } from "../cases/cases.service.ts";
import { reopeningsOf } from "../cases/reopened.service.ts";
import { signsOf } from "../casework/heard-since.service.ts";
import { type Silence, silentParties } from "../casework/invitations.service.ts";
import { practiceDates, practiceRegion, practiceToday } from "../practices/practices.service.ts";

const SILENCE = "silence.words";

/** Whether a text says of the silence what is recorded, and not what was written for any. */
export const saysSilence = (content: DocumentContent): boolean =>
  fieldsIn(content).some(({ attrs }) => attrs.path === SILENCE);

type Silent = Silence & { party: Party };

/** Throws unless everybody on another side than this party's was invited, and gave no answer as far as anybody knows. */
export async function assertUnanswered(
  scope: Scope,
  theCase: Case,
  { own, isSaid }: { own: Party; isSaid: boolean },
): Promise<void> {
  const others = othersOf(theCase, own);
  if (others.length === 0) throw wrongState(`${SAYS} There is no other participant in this case.`);
  const silences = await silencesIn(scope, theCase);
  const signs = await signsOf(scope, theCase.id, others);
  const region = await practiceRegion(scope.ownerId);
  for (const other of others) {
    if (other.status !== "no_response")
      throw wrongState(
        `${SAYS} ${other.label} is recorded as “${partyStatusName({ ...theCase, region }, other.status)}”. If they have not answered, record that first; if they have, write a letter of another kind.`,
      );
    if (!silences.get(other.partyId))
      throw wrongState(
        `${SAYS} No invitation that reached ${other.label}, and whose last day to answer is over, is recorded since they last answered. Record it first, or write a letter of another kind.`,
      );
    const { heard = "", awaited = "", planned = "" } = signs.get(other.partyId) ?? {};
    const against = awaited || (heard && `${heard} Record first what they said.`) || (planned && `${planned} ${WAIT}`);
    if (against) throw wrongState(`${SAYS} ${against}`);
  }
  const silent = silentAmong(others, silences);
  if (silent.length > 1 && silent.some(({ attempts }) => attempts.length === 0))
    throw wrongState(
      `${SAYS} One of several participants missed an appointment, and was not invited again. Invite them once more, or write a letter of another kind.`,
    );
  if (!isSaid) assertPlain(theCase, own, silent);
}

const SAYS = "This letter says that the other participant was invited, and that nothing was heard of them.";
const WAIT = "Wait until it was held, or cancel it if it is off.";

/** Throws for fixed words where not all of them would be true, of whoever asked, how it was tried and what came of it. */
function assertPlain(theCase: Case, own: Party, silent: readonly Silent[]): void {
  const why =
    (hasAsked(theCase, own) ? "" : `${own.label} did not ask us to invite anybody.`) ||
    silent.map(whyNotPlain).find((words) => words !== "");
  if (why)
    throw wrongState(
      `This letter has fixed words, and ${why} Use a template with the field “${fieldName(SILENCE)}”, which says what is recorded.`,
    );
}

function whyNotPlain({ party, before, attempts }: Silent): string {
  const { label } = party;
  if (before === "missed") return `${label} agreed to a meeting and did not come.`;
  if (wasInTouch(party, before)) return `${label} was in touch with us before they went quiet.`;
  if (attempts.length === 0) return `${label} was offered an appointment, and not asked for an answer.`;
  return attempts.some(({ channel, replyBy }) => channel !== "phone" && replyBy !== "")
    ? ""
    : `nothing was written to ${label}.`;
}

/** What is told to this party of the others; empty where they did answer, or nobody tried them. */
export async function silenceWords(scope: Scope, theCase: Case, own: Party): Promise<string> {
  const others = othersOf(theCase, own);
  const silent = silentAmong(others, await silencesIn(scope, theCase));
  if (silent.length === 0 || silent.length < others.length) return "";
  const { calendarDay } = await practiceDates(scope.ownerId);
  const isTried = silent.every(({ attempts }) => attempts.length > 0);
  const who = silent.length === 1 ? "the other participant" : "the other participants";
  const asked = hasAsked(theCase, own)
    ? `You asked us to invite ${who} to take part in mediation.`
    : `We invited ${who} to take part in mediation.`;
  const [only] = silent;
  if (silent.length > 1 || !only)
    return isTried ? `${asked} We tried to reach each of them. None of them has answered since.` : "";
  return [isTried || hasAsked(theCase, own) ? asked : "", triedWords(only, calendarDay), cameWords(only)]
    .filter(Boolean)
    .join(" ");
}

function triedWords({ attempts }: Silent, calendarDay: (day: string) => string): string {
  if (attempts.length === 0) return "";
  const written = attempts.filter(({ channel }) => channel !== "phone");
  const ways = [written.length > 0 ? "in writing" : "", written.length < attempts.length ? "by phone" : ""];
  const day = dayToldIn(written, calendarDay);
  const until = day ? ` We asked for an answer by ${day}, and that day has passed.` : "";
  return `We tried to reach them ${inWords(ways.filter(Boolean))}.${until}`;
}

/** The last day to answer, where a text that was sent says it: the ladder has one that nobody may have been told. */
function dayToldIn(written: readonly Attempt[], calendarDay: (day: string) => string): string {
  const told = written.filter(
    ({ replyBy, wording }) => replyBy !== "" && (wording ?? "").includes(calendarDay(replyBy)),
  );
  const last = told
    .map(({ replyBy }) => replyBy)
    .toSorted()
    .at(-1);
  return last === undefined ? "" : calendarDay(last);
}

function cameWords({ party, before, attempts }: Silent): string {
  const isQuiet = attempts.length > 0;
  if (before === "missed")
    return `They agreed to a first meeting, and did not come to it.${isQuiet ? " They have not answered since we last tried to reach them." : ""}`;
  if (wasInTouch(party, before))
    return "They had been in touch with us, and have not answered since we last tried to reach them.";
  if (before === "offered") return "We offered them an appointment. They did not answer, and did not come.";
  return "They have not answered.";
}

/** Whoever came once is none of whom nothing was ever heard. */
const wasInTouch = ({ respondedOn, miamOn }: Party, before: Silence["before"]): boolean =>
  before === "answered" || respondedOn !== "" || miamOn !== "";

/** Only whoever came first, and agreed to it, asked that others are invited. */
const hasAsked = ({ domain, parties }: Case, { partyId }: Party): boolean =>
  firstSide(domain, parties).some((one) => one.partyId === partyId && one.contactAgreement?.isAgreed === true);

const othersOf = ({ parties }: Case, own: Party): Party[] =>
  parties.filter(({ status, ...party }) => sideOf(party) !== sideOf(own) && status !== "died");

const silentAmong = (others: readonly Party[], silences: ReadonlyMap<string, Silence>): Silent[] =>
  others.flatMap((party) => {
    const silence = silences.get(party.partyId);
    return silence ? [{ ...silence, party }] : [];
  });

async function silencesIn(scope: Scope, theCase: Case): Promise<Map<string, Silence>> {
  const round = { on: await practiceToday(scope.ownerId), at: now() };
  const { since } = await reopeningsOf(scope, await findCaseDoc(scope, theCase.id));
  return silentParties(scope, theCase.id, since(round));
}
