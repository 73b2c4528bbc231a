import { MEASURE_NAMES, type Measure } from "@app/shared/screenings";
import { IconShield } from "@tabler/icons-react";
import { Panel } from "../../ui/panel.tsx";
import { AgainstReason } from "./against-reason.tsx";
import { ArrangementField } from "./arrangement-field.tsx";
import type { Booking } from "./use-booking.ts";

/** What is arranged for the safety of those who come; going against what was agreed asks why. */
export function SafetyFields({
  booking: { form, plan, choose, coming, measures, unkept, elsewhere },
}: {
  booking: Booking;
}) {
  if (coming.length < 2)
    return form.errors["againstMeasures"] || form.values.againstMeasures ? (
      <AgainstReason {...form.field("againstMeasures")} />
    ) : null;
  return (
    <>
      {measures.length > 0 && (
        <Panel tone="safety" icon={<IconShield size={18} stroke={1.7} aria-hidden />} title="Agreed for their safety">
          {wordsOf(measures)}. Filled in below as far as a meeting is planned by it.
        </Panel>
      )}
      {elsewhere.length > 0 && (
        <Panel
          tone="safety"
          icon={<IconShield size={18} stroke={1.7} aria-hidden />}
          title="Agreed for their safety in another case of the same people"
        >
          {elsewhere.map(({ words }) => words).join(" ")} Ask whether that holds here too.
        </Panel>
      )}
      <ArrangementField value={plan.arrangements} onChange={(arrangements) => choose("arrangements", arrangements)} />
      {(unkept.length > 0 || form.errors["againstMeasures"]) && (
        <AgainstReason
          label={`Why it goes without: ${wordsOf(unkept.length > 0 ? unkept : ["separate_arrivals"]).toLowerCase()}`}
          {...form.field("againstMeasures")}
        />
      )}
    </>
  );
}

const wordsOf = (measures: readonly Measure[]): string => measures.map((each) => MEASURE_NAMES[each]).join(", ");
