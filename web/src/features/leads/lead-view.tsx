import { LEAD_STATUS_NAMES, LOST_REASON_NAMES } from "@app/shared/lead-states";
import { LEAD_CHANNEL_NAMES, type Lead, leadName } from "@app/shared/leads";
import { LEAD_REACH_NAMES } from "@app/shared/lead-reaches";
import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { type Formats, useFormats } from "../../core/format.ts";
import { Chip } from "../../ui/chip.tsx";
import { Facts } from "../../ui/facts.tsx";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import { DOMAIN_NAMES, SOURCE_NAMES } from "../cases/case-words.ts";
import { emailFact } from "../people/email-fact.tsx";
import { FirstAnswer } from "./first-answer.tsx";
import { NextLine } from "./lead-columns.tsx";
import { LeadConflict } from "./lead-conflict.tsx";
import { LeadFlags } from "./lead-flags.tsx";
import { LeadLetters } from "./lead-letters.tsx";
import { LeadMarks } from "./lead-marks.tsx";
import type { LeadsSearch } from "./leads-search.ts";

const NONE = "Not known";

interface Props {
  lead: Lead;
  place: LeadsSearch;
}

/** Who asks, what comes next, and whom the practice knows of those they name. */
export function LeadView({ lead, place }: Props) {
  const formats = useFormats();
  return (
    <>
      <Group gap="xs">
        <Chip tone={lead.status === "converted" ? "agreed" : "plain"}>{LEAD_STATUS_NAMES[lead.status]}</Chip>
        <LeadMarks lead={lead} />
      </Group>
      {lead.flags.length > 0 && <LeadFlags flags={lead.flags} />}
      <Facts facts={factsOf(lead, formats)} labelWidth={116} />
      <LeadLetters lead={lead} place={place} />
      <LeadConflict lead={lead} />
      {lead.twins.length > 0 && <Twins lead={lead} place={place} />}
      <Section title="What it is about" order={3}>
        <p className={lead.summary ? "lead-summary" : "lead-summary quiet-text"}>
          {lead.summary || "Nothing was said"}
        </p>
      </Section>
      <Section title="Steps" order={3}>
        <ol className="lead-steps">
          {lead.steps.map(({ to, at, byName }) => (
            <li key={`${to} ${at}`}>
              <span>{LEAD_STATUS_NAMES[to]}</span>
              <span>
                {formats.dateTime(at)}, {byName}
              </span>
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}

const AnswersLink = ({ formId, submissionId }: NonNullable<Lead["answers"]>) => (
  <TextLink to="/settings/forms" search={{ answers: formId, open: submissionId }} fz="inherit">
    All answers
  </TextLink>
);

interface Fact {
  label: string;
  value: ReactNode;
}

const optional = (label: string, value: string): Fact[] => (value ? [{ label, value }] : []);

function factsOf(lead: Lead, formats: Formats): Fact[] {
  const { other, attribution, converted } = lead;
  return [
    { label: "Next", value: <NextLine lead={lead} isConflictShown /> },
    ...(lead.status === "lost" && lead.lostReason
      ? [{ label: "Lost", value: [LOST_REASON_NAMES[lead.lostReason], lead.lostNote].filter(Boolean).join(": ") }]
      : []),
    ...(converted
      ? [
          {
            label: "Case",
            value: (
              <TextLink
                to="/clients/view/$id"
                params={{ id: converted.clientId }}
                search={{ tab: "case", case: converted.caseId }}
                fz="inherit"
              >
                {converted.caseRef}
              </TextLink>
            ),
          },
        ]
      : []),
    { label: "Reach by", value: [reachOf(lead), lead.reachNote].filter(Boolean).join(": ") },
    ...optional("Before that", lead.isReachConfided ? "Read their answers: they said more of how to be reached" : ""),
    emailFact(lead.email, NONE),
    { label: "Phone", value: lead.phone || NONE },
    ...optional("Organisation", lead.organisation === lead.displayName ? "" : lead.organisation),
    ...optional("Date of birth", lead.dateOfBirth && formats.calendarDay(lead.dateOfBirth)),
    { label: "Other person", value: other ? otherText(other) : NONE },
    { label: "Kind", value: DOMAIN_NAMES[lead.domain] },
    { label: "Came by", value: `${SOURCE_NAMES[lead.source]}, ${LEAD_CHANNEL_NAMES[lead.channel].toLowerCase()}` },
    { label: "Came in", value: formats.dateTime(lead.createdAt) },
    { label: "First answer", value: <FirstAnswer lead={lead} /> },
    ...optional("Campaign", lead.campaign),
    ...optional("Came from", attribution.referrerHost),
    ...optional("Advertised on", [attribution.utmSource, attribution.utmMedium].filter(Boolean).join(", ")),
    ...optional("Search words", attribution.utmTerm),
    ...optional("Agreed to", lead.consent),
    ...(lead.answers ? [{ label: "Form", value: <AnswersLink {...lead.answers} /> }] : []),
  ];
}

const reachOf = ({ reachBy, answers }: Lead): string => {
  if (reachBy !== "") return LEAD_REACH_NAMES[reachBy];
  return answers ? "Not said" : "Nobody asked yet";
};

const otherText = (other: NonNullable<Lead["other"]>): string =>
  [leadName({ ...other, organisation: "" }), other.email, other.phone].filter(Boolean).join(", ");

function Twins({ lead: { twins }, place }: Props) {
  const { day } = useFormats();
  return (
    <Section title="Perhaps the same as" count={twins.length} order={3}>
      <ul className="lead-twins">
        {twins.map(({ id, displayName, status, createdAt }) => (
          <li key={id}>
            <TextLink to="/leads" search={{ ...place, lead: id }}>
              {displayName}
            </TextLink>
            <span>
              {LEAD_STATUS_NAMES[status]}, came in on {day(createdAt)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
