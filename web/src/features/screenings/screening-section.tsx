import type { Case, Party } from "@app/shared/cases";
import { dayHeld } from "@app/shared/screening-days";
import { MEASURE_NAMES, type Screening, SUITABILITY_NAMES } from "@app/shared/screenings";
import { Button, Group, Stack } from "@mantine/core";
import { IconAlertTriangle, IconShieldCheck } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { Section } from "../../ui/section.tsx";
import { ScreeningDialog } from "./screening-dialog.tsx";
import { ScreeningHistoryDialog } from "./screening-history-dialog.tsx";
import "./screenings.css";

const icon = { size: 14, stroke: 1.7, "aria-hidden": true } as const;

interface Open {
  what: "screen" | "read";
  partyId: string;
}

/** Where the section stands on its page. */
export const SCREENINGS_PLACE = "safety-and-suitability";

/** Safety and suitability of each party, seen only by those who may read screenings. */
export function ScreeningSection({ theCase, mayChange }: { theCase: Case; mayChange: boolean }) {
  const screenings = api.screenings.list.useQuery({ caseId: theCase.id });
  const said = api.submissions.safetySaid.useQuery({ caseId: theCase.id }, { staleTime: 0 });
  const [open, setOpen] = useState<Open | null>(null);
  const party = theCase.parties.find(({ partyId }) => partyId === open?.partyId);
  const { timeZone } = useCurrentUser();
  const standing = screenings.data?.items.find((each) => each.partyId === party?.partyId && isStanding(each));
  const close = () => setOpen(null);
  return (
    <Section title="Safety and suitability" place={SCREENINGS_PLACE}>
      <Loaded query={screenings} failureTitle="The screenings could not be read">
        {({ items, again }) => {
          const of = (partyId: string) => items.filter((each) => each.partyId === partyId);
          return (
            <Stack gap="sm" pt="sm">
              {theCase.parties.map((each) => (
                <PartyScreening
                  key={each.partyId}
                  party={each}
                  screenings={of(each.partyId)}
                  hasSaid={said.data?.partyIds.includes(each.partyId) ?? false}
                  again={again.find(({ partyId }) => partyId === each.partyId)?.why}
                  onRead={() => setOpen({ what: "read", partyId: each.partyId })}
                  onScreen={mayChange ? () => setOpen({ what: "screen", partyId: each.partyId }) : undefined}
                />
              ))}
              {open?.what === "read" && party && (
                <ScreeningHistoryDialog
                  party={party}
                  screenings={of(party.partyId)}
                  mayChange={mayChange}
                  onClose={close}
                />
              )}
            </Stack>
          );
        }}
      </Loaded>
      {open?.what === "screen" && party && (
        <ScreeningDialog
          theCase={theCase}
          party={party}
          elsewhere={(screenings.data?.elsewhere ?? []).filter(({ partyId }) => partyId === party.partyId)}
          heldLastOn={standing ? dayHeld(standing, timeZone) : null}
          onClose={close}
        />
      )}
    </Section>
  );
}

const isStanding = ({ status }: Screening): boolean => status === "completed";

interface PartyProps {
  party: Party;
  /** The one that was held last first. */
  screenings: readonly Screening[];
  /** Whether they answered something about their safety, which is to be read first. */
  hasSaid: boolean;
  /** Why the latest does not count any more. */
  again: string | undefined;
  onRead: () => void;
  onScreen: (() => void) | undefined;
}

function PartyScreening({ party: { label, name }, screenings, hasSaid, again, onRead, onScreen }: PartyProps) {
  const latest = screenings.find(isStanding);
  const read = screenings.length > 1 ? `Read all ${screenings.length}` : "Read";
  return (
    <div className="screening-row">
      <PartyMarker label={label} />
      <div>
        {again && (
          <Chip tone="danger" icon={<IconAlertTriangle {...icon} />}>
            {again}
          </Chip>
        )}
        {latest ? <Found screening={latest} isOverruled={again !== undefined} /> : "Not screened yet"}
        {!latest && hasSaid && (
          <Chip tone="safety" icon={<IconAlertTriangle {...icon} />}>
            Answered about safety already: read it first
          </Chip>
        )}
      </div>
      <Group gap="xs">
        {screenings.length > 0 && (
          <Button size="xs" variant="default" onClick={onRead} aria-label={`${read} screenings: ${name}`}>
            {read}
          </Button>
        )}
        {onScreen && (
          <Button
            size="xs"
            variant="default"
            onClick={onScreen}
            aria-label={`${latest ? "Screen again" : "Screen"}: ${name}`}
          >
            {latest ? "Screen again" : "Screen"}
          </Button>
        )}
      </Group>
    </div>
  );
}

/** What the latest screening found, and nothing of what was said. */
function Found({ screening, isOverruled }: { screening: Screening; isOverruled: boolean }) {
  const formats = useFormats();
  const { timeZone } = useCurrentUser();
  const { suitable, measures, completedByName } = screening;
  return (
    <>
      {suitable === "no" ? (
        <Chip tone="danger" icon={<IconAlertTriangle {...icon} />}>
          {SUITABILITY_NAMES[suitable]}
        </Chip>
      ) : (
        <div className={isOverruled ? "quiet-text" : undefined}>
          {isOverruled && "Before: "}
          {SUITABILITY_NAMES[suitable]}
        </div>
      )}
      <div className="quiet-text">
        {formats.calendarDay(dayHeld(screening, timeZone))}, {completedByName}
      </div>
      <div className="screening-chips">
        {measures.map((measure) => (
          <Chip key={measure} tone="safety" icon={<IconShieldCheck {...icon} />}>
            {MEASURE_NAMES[measure]}
          </Chip>
        ))}
      </div>
    </>
  );
}
