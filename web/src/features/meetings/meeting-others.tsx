import { OTHER_ROLE_NAMES } from "@app/shared/meeting-others";
import type { Meeting } from "@app/shared/meetings";
import { Group, Stack } from "@mantine/core";
import { Section } from "../../ui/section.tsx";
import { OtherAttendance } from "../people/other-attendance.tsx";
import { SignedOn } from "./signed-on.tsx";

/** Who comes beside the parties, for whom, whether they signed, and whether they came. */
export function MeetingOthers({ meeting, mayManage }: { meeting: Meeting; mayManage: boolean }) {
  if (meeting.others.length === 0) return null;
  const whose = (partyId: string | null) =>
    partyId === null
      ? "for everybody"
      : `for ${meeting.people.find((one) => one.partyId === partyId)?.name ?? "a party"}`;
  return (
    <Section title="Other people" order={3}>
      <Stack gap="xs" pt="xs">
        {meeting.others.map((other) => (
          <Stack key={other.personId} gap={4}>
            <Group gap="sm" justify="space-between">
              <span>
                {other.name}{" "}
                <span className="quiet-text">
                  {OTHER_ROLE_NAMES[other.role].toLowerCase()}, {whose(other.partyId)}
                </span>
              </span>
              <OtherAttendance meetingId={meeting.id} other={other} mayManage={mayManage} />
            </Group>
            <SignedOn key={other.signedOn} meetingId={meeting.id} other={other} mayManage={mayManage} />
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}
