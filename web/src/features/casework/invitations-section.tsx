import { can } from "@app/shared/access";
import type { Case, Party } from "@app/shared/cases";
import type { InvitationGap } from "@app/shared/contact-agreements";
import { addDays } from "@app/shared/days";
import { isToBeReminded } from "@app/shared/invitable";
import { BY_CHANNEL, type Rung } from "@app/shared/ladders";
import { type MergeValues, resolveMergeFields } from "@app/shared/merge-fields";
import { plainText, type RichText, EMPTY_RICH_TEXT } from "@app/shared/rich-text";
import { Button, Group, Stack } from "@mantine/core";
import { IconMail } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Section } from "../../ui/section.tsx";
import { CHANNEL_NAMES } from "../cases/case-words.ts";
import { AttemptForm } from "./attempt-form.tsx";
import { InvitationGaps } from "./invitation-gaps.tsx";
import { AttemptList } from "./attempt-list.tsx";
import { isUnsafeWay, type Reached } from "./invitation-words.ts";

/** What an invitation by email begins with. */
export interface Wording {
  subject: string;
  body: RichText;
}

interface Props {
  theCase: Case;
  party: Party;
  reached: Reached;
  onWrite: (wording: Wording) => void;
  /** Leads to where something is recorded that comes before. */
  onLead: (gap: InvitationGap) => void;
}

/** How somebody was asked to take part, and the next rung of the practice's ladder. */
export function InvitationsSection({ theCase, party, reached, onWrite, onLead }: Props) {
  const { attempts, next, bySafeWay, last, isOver, isProposed, gaps, ways } = reached;
  const formats = useFormats();
  const user = useCurrentUser();
  const [isNoting, setIsNoting] = useState(false);
  const words = useRungWords(theCase);
  const filledIn = useFilledIn(theCase, party);
  const write = async () => {
    const found = next && (await words(next.rung));
    onWrite(found ?? { subject: "", body: EMPTY_RICH_TEXT });
  };
  return (
    <Section title="Invitations" count={attempts.length} order={3}>
      <Stack gap="sm" pt="sm">
        <AttemptList theCase={theCase} attempts={attempts} />
        {isProposed && last && (
          <p role="status" className="attempt-note">
            <strong>{`There was no reply by ${formats.calendarDay(last.replyBy)}.`}</strong>{" "}
            {`That was the last step of your ladder. If ${party.name} has not answered in any other way, choose “No response” above.`}
          </p>
        )}
        {next && !isOver && gaps.length === 0 && (
          <p className="attempt-note">{`Next: ${CHANNEL_NAMES[next.rung.channel].toLowerCase()}, step ${next.number} of ${next.of}, with ${daysText(next.rung.replyDays)} to answer.`}</p>
        )}
        {bySafeWay && !isOver && gaps.length === 0 && (
          <p className="attempt-note">{`Next: by a way that is safe for them, step ${bySafeWay.number} of ${bySafeWay.of}.`}</p>
        )}
        {ways !== null && ways.words !== "" && (
          <p className="attempt-note">
            <strong>How {party.name} may be reached:</strong> {ways.words}
          </p>
        )}
        {gaps.length > 0 && <InvitationGaps gaps={gaps} onLead={onLead} />}
        {isNoting ? (
          <AttemptForm
            theCase={theCase}
            party={party}
            rung={next?.rung ?? null}
            ways={ways}
            onBack={() => setIsNoting(false)}
            wordsOf={async (rung, on) => {
              const found = await words(rung);
              const replyBy = formats.longCalendarDay(addDays(on, rung.replyDays));
              return found ? plainText(await filledIn(found.body, { "invitation.replyBy": replyBy })) : "";
            }}
          />
        ) : (
          <WriteOrRecord
            mayWrite={
              !isToBeReminded(party) && gaps.length === 0 && can(user, "mail.send") && !isUnsafeWay(ways, "email")
            }
            what={whatToRecord(party, gaps)}
            onWrite={() => void write()}
            onRecord={() => setIsNoting(true)}
          />
        )}
      </Stack>
    </Section>
  );
}

interface WriteOrRecordProps {
  mayWrite: boolean;
  what: string;
  onWrite: () => void;
  onRecord: () => void;
}

/** Where nobody is invited today, what went out before is recorded as it was; whoever answered and went quiet is reminded. */
function whatToRecord(party: Party, gaps: readonly InvitationGap[]): string {
  if (isToBeReminded(party)) return "a reminder";
  return gaps.length > 0 ? "an earlier invitation" : "an invitation";
}

const WriteOrRecord = ({ mayWrite, what, onWrite, onRecord }: WriteOrRecordProps) => (
  <Group gap="sm">
    {mayWrite && (
      <Button variant="default" leftSection={<IconMail size={14} stroke={1.7} aria-hidden />} onClick={onWrite}>
        Write an invitation {BY_CHANNEL.email}
      </Button>
    )}
    <Button variant="default" onClick={onRecord}>
      Record {what}
    </Button>
  </Group>
);

const daysText = (days: number): string => (days === 1 ? "1 day" : `${days} days`);

/** Asks for what the template of a rung says. */
function useRungWords({ domain }: Case) {
  const utils = api.useUtils();
  return async ({ template }: Rung): Promise<Wording | null> => {
    try {
      return await utils.ladders.words.fetch({ domain, template });
    } catch (error) {
      notifyError(messageOf(error));
      return null;
    }
  };
}

/** The same words with what its fields say of this party, for a letter that is written elsewhere. */
function useFilledIn({ id: caseId }: Case, { clientId }: Party) {
  const utils = api.useUtils();
  const mayAsk = can(useCurrentUser(), "mail.send");
  return async (body: RichText, known: MergeValues): Promise<RichText> => {
    const values = mayAsk ? (await utils.compose.start.fetch({ clientId, caseId })).values : {};
    return resolveMergeFields(body, { ...values, ...known }).content;
  };
}
