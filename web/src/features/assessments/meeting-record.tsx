import { can } from "@app/shared/access";
import type { Meeting } from "@app/shared/meetings";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { Section } from "../../ui/section.tsx";
import { useFirstMeeting } from "./use-first-meeting.ts";
import { AssessmentRow } from "./assessment-row.tsx";

/** The record that an assessment meeting of the calendar made, so that what is missing is filled in at once. */
export function MeetingRecord({ meeting, caseId }: { meeting: Meeting; caseId: string }) {
  const user = useCurrentUser();
  const { word } = useFirstMeeting();
  const assessments = api.assessments.list.useQuery({ caseId });
  const theCase = api.cases.get.useQuery({ id: caseId });
  return (
    <Loaded query={assessments} failureTitle="The record of this meeting could not be read">
      {({ items }) => {
        const made = items.filter(({ meetingId }) => meetingId === meeting.id);
        if (made.length === 0) return null;
        return (
          <Section title={`Record of the ${word}`} order={3}>
            <Stack gap="sm" pt="xs">
              {made.map((assessment) => (
                <AssessmentRow
                  key={assessment.id}
                  assessment={assessment}
                  parties={theCase.data?.parties ?? []}
                  mayChange={can(user, "clients.write")}
                />
              ))}
            </Stack>
          </Section>
        );
      }}
    </Loaded>
  );
}
