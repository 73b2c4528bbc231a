import type { Party } from "@app/shared/cases";
import type { Session } from "@app/shared/sessions";
import {
  NOT_ASKED_NAME,
  SESSION_ATTENDANCE_NAMES,
  SESSION_ATTENDANCES,
  type SessionAttendance,
  wasThere,
} from "@app/shared/session-states";
import { Menu, UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useFormats } from "../../core/format.ts";
import { PartyMarker } from "../../ui/party-marker.tsx";
import { ownerOf } from "../notes/note-words.ts";
import { forParty } from "@app/shared/visibility";
import { useCockpit } from "./cockpit-context.ts";

export function AttendanceRow({ party }: { party: Party }) {
  const { session, theCase, change, isOpen } = useCockpit();
  const formats = useFormats();
  const mark = session.attendance.find(({ partyId }) => partyId === party.partyId);
  const words = mark
    ? `${SESSION_ATTENDANCE_NAMES[mark.state]}${isSince(session, mark) ? `, since ${formats.time(mark.at)}` : ""}`
    : "Attendance not recorded";
  const record = (state: SessionAttendance | null) =>
    change({
      apply: (before) => ({
        ...before,
        attendance: [
          ...before.attendance.filter(({ partyId }) => partyId !== party.partyId),
          ...(state === null ? [] : [{ partyId: party.partyId, state, at: new Date().toISOString() }]),
        ],
      }),
      call: (sessions, id) => sessions.setAttendance.mutate({ ...id, partyId: party.partyId, state }),
    });
  return (
    <li className="cockpit-attendee" data-owner={ownerOf(forParty(party.partyId), theCase.parties)}>
      <div className="cockpit-attendee-name">
        <PartyMarker label={party.label} /> {party.name}
      </div>
      {isOpen ? (
        <Menu position="bottom-start">
          <Menu.Target>
            <UnstyledButton className="cockpit-attendance" aria-label={`${party.name}: ${words}. Record attendance`}>
              {words}
              <IconChevronDown size={14} stroke={1.7} aria-hidden />
            </UnstyledButton>
          </Menu.Target>
          <Menu.Dropdown>
            {SESSION_ATTENDANCES.map((state) => (
              <Menu.Item key={state} onClick={() => void record(state)}>
                {SESSION_ATTENDANCE_NAMES[state]}
              </Menu.Item>
            ))}
            {mark && <Menu.Item onClick={() => void record(null)}>{NOT_ASKED_NAME}</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      ) : (
        <div className="cockpit-attendance">{words}</div>
      )}
    </li>
  );
}

/** Whether they were marked as they came: a session that is written up later does not tell it. */
const isSince = (
  { startedAt, endedAt }: Pick<Session, "startedAt" | "endedAt">,
  { state, at }: Session["attendance"][number],
): boolean => wasThere({ state }) && startedAt !== null && (endedAt === null || at <= endedAt);
