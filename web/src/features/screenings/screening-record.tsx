import { type ScreeningCompany } from "@app/shared/screening-company";
import {
  ANSWER_NAMES,
  MEASURE_NAMES,
  type Screening,
  SCREENING_CHANNEL_NAMES,
  SUITABILITY_NAMES,
} from "@app/shared/screenings";
import { Stack } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type Formats, useFormats } from "../../core/format.ts";
import { Facts } from "../../ui/facts.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Section } from "../../ui/section.tsx";

const WITH_NAMES = {
  nobody: "alone",
  interpreter: "with an interpreter",
  supporter: "with a supporter",
  other: "with somebody else",
} as const satisfies Record<ScreeningCompany, string>;
const RISK_NAMES = { low: "Low", medium: "Medium", high: "High", stop: "Stop" } as const;

/** When and how it was held, as far as that was asked for at the time, and when it was written down. */
function heldFacts(screening: Screening, formats: Formats) {
  const { heldOn, channel, company, supporter, completedAt, completedByName, confirmed } = screening;
  const held = [
    heldOn && formats.calendarDay(heldOn),
    channel && SCREENING_CHANNEL_NAMES[channel].toLowerCase(),
    company && WITH_NAMES[company],
  ].filter(Boolean);
  return [
    ...(held.length > 0 ? [{ label: "Held", value: held.join(", ") }] : []),
    ...(supporter ? [{ label: "Supporter", value: `${supporter.who}. ${supporter.whySafe}` }] : []),
    { label: "Recorded", value: `${formats.dateTime(completedAt)}, ${completedByName}` },
    ...(confirmed ? [{ label: "Confirmed", value: `${formats.dateTime(confirmed.at)}, ${confirmed.byName}` }] : []),
  ];
}

function factsOf(screening: Screening, formats: Formats) {
  const { suitable, measures, reasons, signposted, referral, consulted, score, risk, whyNeither } = screening;
  return [
    ...heldFacts(screening, formats),
    ...(screening.spokenWith ? [{ label: "Spoken with", value: screening.spokenWith }] : []),
    ...(screening.lookedAt.length > 0
      ? [{ label: "Looked at before", value: "That they were found not safe to mediate in another case" }]
      : []),
    { label: "Mediation is", value: SUITABILITY_NAMES[suitable] },
    ...(measures.length > 0
      ? [{ label: "Measures", value: measures.map((measure) => MEASURE_NAMES[measure]).join(", ") }]
      : []),
    { label: "Reasons", value: reasons || "None written" },
    ...(signposted.length > 0 ? [{ label: "Pointed to", value: signposted.join(", ") }] : []),
    ...(referral
      ? [
          {
            label: "Referred",
            value: [referral.agency, formats.day(referral.on), referral.reference].filter(Boolean).join(", "),
          },
        ]
      : []),
    ...(consulted
      ? [
          {
            label: "Consulted",
            value: consulted.isConsulted
              ? `${consulted.who}, ${formats.day(consulted.on)}`
              : `Nobody: ${consulted.whyNot}`,
          },
        ]
      : []),
    ...(whyNeither ? [{ label: "Why neither measures nor a consultation", value: whyNeither }] : []),
    ...(score ? [{ label: "Scored", value: `${score.name}: ${score.score}, ${formats.day(score.on)}` }] : []),
    ...(risk ? [{ label: "Risk", value: RISK_NAMES[risk] }] : []),
    { label: "Questions", value: `Version ${screening.toolVersion}` },
  ];
}

/** One screening as it was completed: what was found, and every answer in the words of its time. */
export function ScreeningRecord({ screening }: { screening: Screening }) {
  const formats = useFormats();
  const { struck, answers } = screening;
  return (
    <Stack gap="md">
      {struck && (
        <Panel
          tone="safety"
          icon={<IconAlertTriangle size={18} stroke={1.7} aria-hidden />}
          title="Struck: it no longer counts"
        >
          {struck.reason} ({formats.dateTime(struck.at)}, {struck.byName})
        </Panel>
      )}
      <Facts labelWidth={100} facts={factsOf(screening, formats)} />
      <Section title="Answers" order={3}>
        <dl className="screening-answers">
          {answers.map(({ id, question, answer, words, safeBecause }) => (
            <div key={id} data-weighs={(answer !== null && answer !== "no") || undefined}>
              <dt>{question}</dt>
              <dd>
                {answer && <strong>{ANSWER_NAMES[answer]}</strong>}
                {words || (answer ? "" : "No answer written")}
                {safeBecause && <div className="quiet-text">Safe all the same: {safeBecause}</div>}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    </Stack>
  );
}
