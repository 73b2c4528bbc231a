import { isOnlyTold, MIAM_PLACE_NAMES } from "@app/shared/assessments";
import { firstMeetingName } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { ASKED_MAX } from "@app/shared/party-preview";
import { forParty } from "@app/shared/visibility";
import type { Scope } from "../../core/trpc.ts";
import { isNeutralFor, NEUTRAL_TITLE } from "../clients/neutral-words.service.ts";
import { practiceDates, practiceRegion } from "../practices/practices.service.ts";
import { readableFor } from "../visibility/for-party.service.ts";
import type { PartyItems } from "../visibility/visibility.service.ts";
import { AssessmentModel } from "./assessments.model.ts";

/**
 * The fact that this party attended, for them alone; never what was said or thought there, nor what somebody else only
 * told of one elsewhere. Where they are told of meetings in neutral words, it is one of these.
 */
export async function partyAssessments(scope: Scope, theCase: Case, partyId: string): Promise<PartyItems> {
  const held = await AssessmentModel.find(
    { ownerId: scope.ownerId, caseId: theCase.id, partyId, status: "held" },
    {
      partyId: 1,
      origin: 1,
      evidenceKind: 1,
      attendedOn: 1,
      place: 1,
      where: 1,
      minutes: 1,
      mediatorName: 1,
      service: 1,
      createdAt: 1,
    },
  )
    .sort({ attendedOn: -1, _id: -1 })
    .limit(ASKED_MAX)
    .lean();
  const { calendarDay } = await practiceDates(scope.ownerId);
  const name = firstMeetingName({ domain: theCase.domain, region: await practiceRegion(scope.ownerId) });
  const isNeutral = await isNeutralFor(scope, { theCase, partyId });
  const guarded = held
    .filter((record) => !isOnlyTold(record))
    .map(({ _id, partyId: of, attendedOn, place, where, minutes, mediatorName, service, createdAt }) => ({
      kind: isNeutral ? ("meeting" as const) : ("assessment" as const),
      id: _id,
      title: `${isNeutral ? NEUTRAL_TITLE : name} attended on ${calendarDay(attendedOn)}`,
      detail: [
        place && [MIAM_PLACE_NAMES[place], where].filter(Boolean).join(", "),
        minutes && `${minutes} minutes`,
        !isNeutral && mediatorName && `with ${[mediatorName, service].filter(Boolean).join(", ")}`,
      ]
        .filter(Boolean)
        .join(" · "),
      at: createdAt.toISOString(),
      since: createdAt,
      changedAt: createdAt,
      visibility: forParty(of),
    }));
  return readableFor({ theCase, partyId }, guarded);
}
