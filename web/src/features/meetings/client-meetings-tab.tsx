import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import { Button, SegmentedControl } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { IconCalendar, IconCalendarPlus } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useFormats } from "../../core/format.ts";
import { LoadedPage } from "../../core/loaded-page.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/section.tsx";
import { CaseSessions } from "../sessions/case-sessions.tsx";
import { MeetingRow } from "./meeting-list.tsx";
import { BookMeetingDialog } from "./book-meeting-dialog.tsx";
import { MeetingDialog } from "./meeting-dialog.tsx";
import { nextHour } from "./next-hour.ts";
import "./calendar.css";

type When = "upcoming" | "past";

interface Props {
  clientId: string;
  theCase: Case | null;
  page: number;
  onPage: (page: number) => void;
}

/** The meetings of one client, to come and past. */
export function ClientMeetingsTab({ clientId, theCase, page, onPage }: Props) {
  const user = useCurrentUser();
  const formats = useFormats();
  const [when, setWhen] = useState<When>("upcoming");
  const [openId, setOpenId] = useState<string | null>(null);
  const [isBooking, setIsBooking] = useState(false);
  const meetings = api.meetings.listOf.useQuery({ clientId, when, page }, { placeholderData: keepPreviousData });
  const own = theCase?.parties.find((party) => party.clientId === clientId);
  const book = can(user, "calendar.manage") && (
    <Button
      size="xs"
      leftSection={<IconCalendarPlus size={14} stroke={1.7} aria-hidden />}
      onClick={() => setIsBooking(true)}
    >
      Book meeting
    </Button>
  );
  return (
    <>
      {theCase && <CaseSessions theCase={theCase} />}
      <Section title="Meetings" count={meetings.data?.total || undefined} action={book}>
        <WhenControl
          value={when}
          onChange={(value) => {
            setWhen(value);
            onPage(1);
          }}
        />
        <LoadedPage
          query={meetings}
          failureTitle="The meetings could not be read"
          empty={<NoMeetings when={when} />}
          page={page}
          words={["meeting", "meetings"]}
          onPage={onPage}
        >
          {(items) => (
            <ul className="meeting-list">
              {items.map((meeting) => (
                <li key={meeting.id}>
                  <div className="quiet-text">{formats.day(meeting.startsAt)}</div>
                  <MeetingRow meeting={meeting} onOpen={setOpenId} />
                </li>
              ))}
            </ul>
          )}
        </LoadedPage>
        {openId && <MeetingDialog meetingId={openId} onClose={() => setOpenId(null)} />}
        {isBooking && (
          <BookMeetingDialog
            startsAt={nextHour(user.timeZone)}
            theCase={theCase}
            partyIds={own ? [own.partyId] : []}
            onClose={() => setIsBooking(false)}
            onBooked={() => setIsBooking(false)}
          />
        )}
      </Section>
    </>
  );
}

function WhenControl({ value, onChange }: { value: When; onChange: (value: When) => void }) {
  return (
    <SegmentedControl
      size="xs"
      mt="xs"
      aria-label="Which meetings"
      value={value}
      data={[
        { value: "upcoming", label: "To come" },
        { value: "past", label: "Past" },
      ]}
      onChange={onChange}
    />
  );
}

function NoMeetings({ when }: { when: When }) {
  return (
    <EmptyState order={3} icon={<IconCalendar size={24} stroke={1.7} />} title="No meetings here">
      {when === "upcoming" ? "Nothing is booked with this client." : "Nothing took place with this client yet."}
    </EmptyState>
  );
}
