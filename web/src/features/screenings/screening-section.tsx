import type { Case } from "@app/shared/cases";
import { MEASURE_NAMES, type Screening } from "@app/shared/screenings";
import { Button, Stack } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { Chip } from "../../ui/chip.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { ScreeningDialog } from "./screening-dialog.tsx";
import "./screenings.css";

const SUITABLE_NAMES = { yes: "Suitable", yes_with_measures: "Suitable, with measures", no: "Not suitable" } as const;
const RISK_NAMES = { low: "low risk", medium: "medium risk", high: "high risk", stop: "stop" } as const;

/** Safety and suitability of each party, seen only by those who may read screenings. */
export function ScreeningSection({ theCase, mayChange }: { theCase: Case; mayChange: boolean }) {
  const screenings = api.screenings.list.useQuery({ caseId: theCase.id });
  const [partyId, setPartyId] = useState<string | null>(null);
  const party = theCase.parties.find((each) => each.partyId === partyId);
  return (
    <Section title="Safety and suitability">
      <Loaded query={screenings} failureTitle="The screenings could not be read">
        {({ items }) => (
          <Stack gap="sm" pt="sm">
            {theCase.parties.map(({ partyId: id, label, name }) => (
              <PartyScreening
                key={id}
                label={label}
                name={name}
                screening={items.find((each) => each.partyId === id && each.status === "completed")}
                onScreen={mayChange ? () => setPartyId(id) : undefined}
              />
            ))}
          </Stack>
        )}
      </Loaded>
      {party && <ScreeningDialog caseId={theCase.id} party={party} onClose={() => setPartyId(null)} />}
    </Section>
  );
}

interface PartyProps {
  label: string;
  name: string;
  screening: Screening | undefined;
  onScreen: (() => void) | undefined;
}

function PartyScreening({ label, name, screening, onScreen }: PartyProps) {
  const formats = useFormats();
  return (
    <div className="screening-row">
      <PartyMarker label={label} />
      <div>
        {screening ? (
          <>
            {SUITABLE_NAMES[screening.suitable]}, {RISK_NAMES[screening.risk]}
            <div className="quiet-text">
              {formats.day(screening.completedAt)}, {screening.completedByName}
            </div>
            {screening.measures.map((measure) => (
              <Chip key={measure} tone="safety" icon={<IconShieldCheck size={14} stroke={1.7} aria-hidden />}>
                {MEASURE_NAMES[measure]}
              </Chip>
            ))}
          </>
        ) : (
          "Not screened yet"
        )}
      </div>
      {onScreen && (
        <Button
          size="xs"
          variant="default"
          onClick={onScreen}
          aria-label={`${screening ? "Screen again" : "Screen"}: ${name}`}
        >
          {screening ? "Screen again" : "Screen"}
        </Button>
      )}
    </div>
  );
}
