import { can } from "@app/shared/access";
import { takesSessions, whyNotBegin } from "@app/shared/case-sessions";
import { isTakingPart } from "@app/shared/case-states";
import type { Case } from "@app/shared/cases";
import { SESSION_OUTCOME_NAMES, SESSION_STATUS_NAMES } from "@app/shared/session-states";
import type { SessionRow } from "@app/shared/sessions";
import { Button, Group } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { useNewId } from "../../core/use-new-id.ts";
import { notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";

/** The sessions of a case, and the way into the next one. */
export function CaseSessions({ theCase }: { theCase: Case }) {
  const user = useCurrentUser();
  const query = api.sessions.ofCase.useQuery({ id: theCase.id });
  const mayStart = can(user, "clients.write") && takesSessions(theCase.status);
  const partyIds = theCase.parties.filter(isTakingPart).map(({ partyId }) => partyId);
  const why = whyNotBegin(theCase, { type: null, partyIds });
  return (
    <Section
      title="Sessions"
      count={query.data?.items.length}
      action={mayStart && <StartButtons caseId={theCase.id} canBegin={why === null} />}
    >
      {mayStart && why !== null && <p className="quiet-text">{why} A session can be prepared already.</p>}
      <Loaded query={query} failureTitle="The sessions could not be read">
        {({ items }) =>
          items.length === 0 ? (
            <p className="quiet-text">
              No session yet. Prepare the agenda before, and start when the parties are there.
            </p>
          ) : (
            <ul className="rows">
              {items.map((session) => (
                <SessionListRow key={session.id} session={session} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function SessionListRow({ session }: { session: SessionRow }) {
  const formats = useFormats();
  const isOver = session.status === "ended" || session.status === "locked";
  return (
    <li>
      <TextLink to="/sessions/$id" params={{ id: session.id }} fw={500} fz="inherit">
        Session {session.number}
      </TextLink>
      <Chip tone={session.status === "in_progress" ? "agreed" : "outline"}>{SESSION_STATUS_NAMES[session.status]}</Chip>
      <span className="quiet-text tabular nowrap">{formats.day(session.startedAt ?? session.createdAt)}</span>
      {isOver && <span className="quiet-text tabular nowrap">{session.minutes} min</span>}
      {session.outcome && <span className="quiet-text">{SESSION_OUTCOME_NAMES[session.outcome.code]}</span>}
      {isOver && session.isUnfinished && <Chip tone="late">Attendance or outcome missing</Chip>}
    </li>
  );
}

function StartButtons({ caseId, canBegin }: { caseId: string; canBegin: boolean }) {
  const navigate = useNavigate();
  const utils = api.useUtils();
  const start = api.sessions.start.useMutation();
  const prepare = api.sessions.create.useMutation();
  // One id each for as long as the buttons stand here: a second click, or a second try, opens the same session.
  const [startId] = useNewId();
  const [prepareId] = useNewId();
  async function open(make: typeof start.mutateAsync, id: string) {
    try {
      const session = await make({ id, caseId, meetingId: null });
      utils.sessions.get.setData({ id: session.id }, session);
      void utils.sessions.ofCase.invalidate();
      await navigate({ to: "/sessions/$id", params: { id: session.id } });
    } catch (error) {
      notifyError(messageOf(error));
    }
  }
  return (
    <Group gap={8} wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        loading={prepare.isPending}
        onClick={() => void open(prepare.mutateAsync, prepareId)}
      >
        Prepare session
      </Button>
      {canBegin && (
        <Button
          size="xs"
          leftSection={<IconPlayerPlay size={14} stroke={1.7} aria-hidden />}
          loading={start.isPending}
          onClick={() => void open(start.mutateAsync, startId)}
        >
          Start session
        </Button>
      )}
    </Group>
  );
}
