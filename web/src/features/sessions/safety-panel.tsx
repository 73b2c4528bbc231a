import { dayIn } from "@app/shared/days";
import { labelsOf } from "@app/shared/agreement-gates";
import { isConcern, type SafetyReview } from "@app/shared/safety-reviews";
import { MEASURE_NAMES } from "@app/shared/screenings";
import { IconShield, IconShieldCheck } from "@tabler/icons-react";
import { useFormats } from "../../core/format.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useToday } from "../../core/today.ts";
import { useSafetyDue } from "../cases/use-safety-due.ts";
import { isSessionOpen, partyOf, useCockpit } from "./cockpit-context.ts";

const icon = { size: 16, stroke: 1.7, "aria-hidden": true } as const;

/** What was agreed for somebody's safety, and whether it was looked at again. */
export function SafetyPanel() {
  const { session, theCase } = useCockpit();
  const formats = useFormats();
  const { timeZone } = useCurrentUser();
  const today = useToday();
  const { measures, safetyReview } = session;
  const mustNotMeet = theCase.flags.mustNotMeet;
  const concerned = theCase.parties.filter(({ partyId }) => {
    const last = session.safetyReviews?.findLast((each) => each.partyId === partyId);
    return last !== undefined && isConcern(last);
  });
  const due = useSafetyDue(theCase.id);
  const shown = isSessionOpen(session) ? due : [];
  const hasRule = mustNotMeet || (measures ?? []).length > 0 || concerned.length > 0 || shown.length > 0;
  const isToday = safetyReview !== null && dayIn(timeZone, new Date(safetyReview.at)) === today;
  const { safetyReviews } = session;
  const review = safetyReview
    ? `Reviewed ${isToday ? `today ${formats.time(safetyReview.at)}` : formats.dateTime(safetyReview.at)}, ${safetyReview.isChanged ? "changed" : "unchanged"}.`
    : safetyReviews?.length === 0
      ? "Not reviewed in this session."
      : "";
  return (
    <div className="cockpit-safety" data-rule={hasRule || undefined}>
      {hasRule ? <IconShield {...icon} /> : <IconShieldCheck {...icon} />}
      <div>
        <div className="cockpit-safety-title">
          {concerned.length > 0
            ? `Safety concern: ${labelsOf(concerned)}`
            : titleOf({ mustNotMeet, hasRule, isDue: shown.length > 0 })}
        </div>
        {shown.map((each) => (
          <div key={each}>{each}</div>
        ))}
        {measures?.map(({ partyId, measures: agreed }) => (
          <div key={partyId}>
            {partyOf(theCase, partyId)?.label}:{" "}
            {agreed.map((measure) => MEASURE_NAMES[measure].toLowerCase()).join(", ")}
          </div>
        ))}
        {measures === null && <div>You may not read the screenings. Ask a mediator of the case.</div>}
        <div>{review}</div>
        {safetyReviews?.map((each) => (
          <div key={`${each.partyId} ${each.at}`}>
            {partyOf(theCase, each.partyId)?.label}: {whenReviewed(each, formats)},{" "}
            {!each.isSafe
              ? "not safe to mediate"
              : isConcern(each)
                ? "the measures do not fit"
                : each.hasChanged
                  ? "changed, still safe"
                  : "unchanged"}
            .{each.lateReason && <div>{each.lateReason}</div>}
            {each.note && <div>{each.note}</div>}
          </div>
        ))}
        {safetyReview?.note && <div>{safetyReview.note}</div>}
      </div>
    </div>
  );
}

interface Rules {
  mustNotMeet: boolean;
  hasRule: boolean;
  isDue: boolean;
}

function titleOf({ mustNotMeet, hasRule, isDue }: Rules): string {
  if (mustNotMeet) return "Separate rooms, no joint time";
  if (isDue) return "Safety comes first";
  return hasRule ? "Safety measures" : "No safety measures";
}

/** When they were asked, and when it was written where that was later. */
function whenReviewed(
  { heldOn, at, isLate, wasAskedBefore }: SafetyReview,
  formats: ReturnType<typeof useFormats>,
): string {
  const written = formats.dateTime(at);
  const on = heldOn && `, on ${formats.calendarDay(heldOn)}`;
  if (isLate && wasAskedBefore !== null)
    return `${wasAskedBefore ? "asked before it began" : "asked only after it had begun"}${on}, recorded on ${written}`;
  const after = isLate ? " after the session had begun" : "";
  if (heldOn === "") return `reviewed ${written}${after && `, written${after}`}`;
  return `reviewed on ${formats.calendarDay(heldOn)}, recorded on ${written}${after}`;
}
