// That somebody took part in mediation: the other thing than a MIAM that an application may rely on, with months of its own
// from its last session. The rules ask for no authorised mediator here, so any mediator of the case signs it [check].
import mongoose from "mongoose";
import type { z } from "zod";
import { roundIndexOf } from "@app/shared/case-rounds";
import type { Case } from "@app/shared/cases";
import type {
  Certificate,
  issueMediationSchema,
  MediationChoices,
  mediationOptionsSchema,
} from "@app/shared/certificates";
import { addMonths, dayIn } from "@app/shared/days";
import { lateWords, type Mediating, type MiamRules, miamRulesOn } from "@app/shared/miam-rules";
import { badField, forbidden, wrongState } from "../../core/errors.ts";
import type { Scope } from "../../core/trpc.ts";
import { getCase, requireParty } from "../cases/cases.service.ts";
import { ownCertificateWords } from "../documents/certificate-text.service.ts";
import { certifyingPractice, practiceDates, practiceTimeZone, practiceToday } from "../practices/practices.service.ts";
import { unwrittenOf } from "../sessions/write-ups.service.ts";
import { lockFirst, mediatingIn, mediationOf } from "./certificate-facts.ts";
import { notHere, notItsMediator, replacesOf, sign } from "./certificate-signing.ts";
import { type CertificateDoc, CertificateModel } from "./certificates.model.ts";

interface Mediated {
  theCase: Case;
  practice: Awaited<ReturnType<typeof certifyingPractice>>;
  rules: MiamRules | undefined;
  /** Of the first and the last session; empty where none was held. */
  firstOn: string;
  lastOn: string;
  /** Which of the sessions to lock or write up first; empty where all are. */
  toLock: string;
  how: Mediating;
  sentence: string;
  expiresOn: string;
  /** What to have seen where its months are over. */
  late: string;
  standing: CertificateDoc[];
  today: string;
}

type Whose = z.output<typeof mediationOptionsSchema>;

async function mediatedBy(scope: Scope, { caseId, partyId }: Whose): Promise<Mediated> {
  const { ownerId } = scope;
  const theCase = await getCase(scope, caseId);
  requireParty(theCase, partyId);
  const all = await mediationOf(scope, theCase, partyId);
  // What came before a round was over may have been of another dispute.
  const roundOf = (session: (typeof all)[number]) => roundIndexOf(theCase.rounds, session);
  const sessions = all.filter((session, _, [last]) => last && roundOf(session) === roundOf(last));
  const days = sessions.map(({ heldOn }) => heldOn).toSorted();
  const [firstOn, lastOn] = [days[0] ?? "", days.at(-1) ?? ""];
  const [practice, { calendarDay }, today, standing] = await Promise.all([
    certifyingPractice(ownerId),
    practiceDates(ownerId),
    practiceToday(ownerId),
    standingOf(ownerId, { caseId, partyId, lastOn }),
  ]);
  const toLock = lockFirst(sessions) || (await writeUpFirst(scope, theCase, { partyId, last: sessions[0] }));
  const of = { theCase, practice, firstOn, lastOn, toLock, standing, today };
  const rules = lastOn === "" ? undefined : miamRulesOn(lastOn);
  if (!rules) return { ...of, rules, how: "together", sentence: "", expiresOn: "", late: "" };
  const expiresOn = addMonths(lastOn, rules.months);
  const how = mediatingIn(sessions, { firstOn, lastOn });
  const sentence = rules.mediated[how](calendarDay(firstOn), calendarDay(lastOn));
  return {
    ...of,
    rules,
    how,
    sentence,
    expiresOn,
    late: expiresOn < today ? lateWords(rules, calendarDay(expiresOn)) : "",
  };
}

type Held = Parameters<typeof roundIndexOf>[1];

/** What was held with them in the time of the last session and is not written up: the certificate would leave it out. */
async function writeUpFirst(
  scope: Scope,
  theCase: Case,
  { partyId, last }: { partyId: string; last: Held | undefined },
): Promise<string> {
  if (!last) return "";
  const { rounds } = theCase;
  const timeZone = await practiceTimeZone(scope.ownerId);
  const isMeant = (startedAt: Date): boolean =>
    roundIndexOf(rounds, { heldOn: dayIn(timeZone, startedAt), startedAt }) === roundIndexOf(rounds, last);
  const [first] = await unwrittenOf(scope, theCase, { partyId, isMeant });
  if (!first) return "";
  const when = (await practiceDates(scope.ownerId)).dateTime(first.startsAt);
  return first.isHeld
    ? `The calendar says that the meeting on ${when} was held, and no session is recorded of it. Write it up first; where nothing was mediated there, change its type or mark who did not come.`
    : `The calendar does not say yet what came of the meeting on ${when}. Write up its session first, or say there that nobody came or that it was cancelled.`;
}

/** One stands for each last session: one of an earlier session was true then, and is so still. */
const standingOf = (
  ownerId: string,
  { caseId, partyId, lastOn }: Whose & { lastOn: string },
): Promise<CertificateDoc[]> =>
  CertificateModel.find({
    ownerId,
    caseId,
    partyId,
    mediatedUntil: lastOn,
    status: mongoose.trusted({ $in: ["issued", "used"] }),
  }).lean();

/** Why nobody can issue it; never that its months are over, because they were there. */
function blockersOf({ lastOn, toLock, rules }: Mediated): string[] {
  if (lastOn === "")
    return [
      "No session is recorded as held at which they and another participant were, and on either side somebody had signed the agreement to mediate. If there was one, record who came to it, and when they signed.",
    ];
  if (!rules)
    return ["The last session was held before 29 April 2024. What was certified then is not certified any more."];
  return toLock === "" ? [] : [toLock];
}

export async function mediationChoices(scope: Scope, whose: Whose): Promise<MediationChoices> {
  const mediated = await mediatedBy(scope, whose);
  const { theCase, practice, sentence, firstOn, lastOn, expiresOn, late, standing } = mediated;
  const elsewhere = notHere(theCase, practice);
  const blockers = elsewhere.length > 0 ? elsewhere : [...blockersOf(mediated), ...notItsMediator(scope, theCase)];
  const ownWords = await ownCertificateWords(scope.ownerId);
  return { sentence, firstOn, lastOn, expiresOn, late, blockers, replaces: replacesOf(standing), ownWords };
}

/** Issues it, as of today. */
export async function issueMediation(
  scope: Scope,
  { caseId, partyId, isLateConfirmed, hasReadWords = false, replaceReason }: z.output<typeof issueMediationSchema>,
): Promise<Certificate> {
  const mediated = await mediatedBy(scope, { caseId, partyId });
  const { theCase, practice, rules, firstOn, lastOn, how, sentence, expiresOn, late, standing, today } = mediated;
  const [elsewhere] = notHere(theCase, practice);
  if (elsewhere) throw wrongState(elsewhere);
  const [problem] = notItsMediator(scope, theCase);
  if (problem) throw forbidden(problem);
  const [blocker] = blockersOf(mediated);
  if (blocker) throw wrongState(blocker);
  if (!rules) throw new Error("a certificate without rules was not refused");
  if (late && !isLateConfirmed) throw badField("isLateConfirmed", late);
  return sign(
    scope,
    { theCase, partyId, standing, replaceReason, hasReadWords },
    {
      rules: rules.version,
      statements: [],
      sentences: [sentence],
      mediatedFrom: firstOn,
      mediatedUntil: lastOn,
      mediating: how,
      issuedOn: today,
      countedFrom: lastOn,
      expiresOn,
      conductedByName: "",
      serviceName: practice.serviceName,
    },
  );
}
