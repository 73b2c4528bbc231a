import type { Case } from "@app/shared/cases";
import { isConflictSettled } from "@app/shared/conflict-settled";
import { type Client, isRestricted, preferredPhone } from "@app/shared/clients";
import { Anchor, Button } from "@mantine/core";
import { IconArrowRight, IconPhone, IconPhoneOff } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Panel } from "../../ui/panel.tsx";
import { nextStepOf } from "../cases/case-waiting.ts";
import { useSafetyDue } from "../cases/use-safety-due.ts";
import { UncheckedPanel } from "./unchecked-panel.tsx";
import { DueDay } from "../tasks/due-day.tsx";

const icon = { size: 18, stroke: 1.7, "aria-hidden": true } as const;

interface Props {
  client: Client;
  cases: readonly Case[];
  theCase: Case | null;
  onOpenCase: () => void;
}

/** What next, and may I phone them: the two questions that somebody has who opens a client. */
export function ClientPanels({ client, cases, theCase, onOpenCase }: Props) {
  const hasDied = cases.some(({ parties }) =>
    parties.some(({ clientId, status }) => clientId === client.id && status === "died"),
  );
  return (
    <div className="client-panels">
      {theCase ? (
        <NextPanel clientId={client.id} theCase={theCase} onOpenCase={onOpenCase} />
      ) : (
        <FirstTaskPanel clientId={client.id} />
      )}
      {hasDied ? (
        <DiedPanel client={client} />
      ) : client.isContactUnchecked ? (
        <UncheckedPanel client={client} name={nameOf(client)} />
      ) : (
        <PhonePanel client={client} />
      )}
    </div>
  );
}

/** Before there is a case: the task that is due first, what is for somebody's safety before all others. */
function FirstTaskPanel({ clientId }: { clientId: string }) {
  const tasks = api.tasks.list.useQuery({ clientId });
  const [first] = tasks.data?.items ?? [];
  if (first)
    return (
      <Panel icon={<IconArrowRight {...icon} />} title={first.title}>
        <DueDay dueOn={first.dueOn} />
      </Panel>
    );
  return (
    <Panel icon={<IconArrowRight {...icon} />} title={tasks.data ? "Nothing is due" : "Next step"}>
      Once there is a case, you will see its next step, the date and who it is waiting for.
    </Panel>
  );
}

interface NextProps {
  clientId: string;
  theCase: Case;
  onOpenCase: () => void;
}

/** The step of the case, what is due for somebody's safety, and the task that is due first, overdue or not. */
function NextPanel({ clientId, theCase, onOpenCase }: NextProps) {
  const { region } = useCurrentUser();
  const found = api.tasks.nextOfClients.useQuery({ clientIds: [clientId] });
  const task = found.data?.items.find((own) => own.theCase.id === theCase.id)?.task;
  const safety = useSafetyDue(theCase.id);
  const conflicts = api.conflicts.ofCase.useQuery({ id: theCase.id }, { enabled: theCase.status === "enquiry" });
  const isConflictOpen = conflicts.data !== undefined && !isConflictSettled(conflicts.data);
  const next = nextStepOf(theCase, region, { safety, hasTask: Boolean(task), isConflictOpen });
  return (
    <Panel
      icon={<IconArrowRight {...icon} />}
      title={next.title}
      action={
        <Button variant="default" onClick={onOpenCase}>
          Open the case
        </Button>
      }
    >
      {next.detail}
      {safety.map((due) => (
        <div key={due}>{due}</div>
      ))}
      {task && (
        <div className="next-task">
          <span>{task.title}</span>
          <DueDay dueOn={task.dueOn} />
        </div>
      )}
    </Panel>
  );
}

const nameOf = (client: Client): string =>
  client.kind === "organisation" ? client.organisation : client.knownAs || client.firstName;

function DiedPanel({ client }: { client: Client }) {
  return (
    <Panel icon={<IconPhoneOff {...icon} />} title={`${nameOf(client)} is recorded as died`}>
      Do not phone or write to them. If that is wrong, take the step back in the case.
    </Panel>
  );
}

function PhonePanel({ client }: { client: Client }) {
  const [isCodeWordShown, setIsCodeWordShown] = useState(false);
  const { safeContact: safe } = client;
  const phone = preferredPhone(client.phones);
  const name = nameOf(client);
  const mayPhone = safe.mayPhone && phone !== undefined;
  const rules = [
    safe.safeTimes,
    !safe.mayLeaveVoicemail && "no voicemail",
    !safe.mayText && "no texts",
    !safe.mayEmail && "no email",
    !safe.mayPost && "no post",
    safe.codeWord && "code word first",
  ].filter(Boolean);
  return (
    <Panel
      tone={isRestricted(safe) ? "safety" : "plain"}
      icon={mayPhone ? <IconPhone {...icon} /> : <IconPhoneOff {...icon} />}
      title={titleOf()}
      action={
        (safe.codeWord || mayPhone) && (
          <div className="client-phone-actions">
            {safe.codeWord && (
              <Button
                variant="default"
                aria-expanded={isCodeWordShown}
                onClick={() => setIsCodeWordShown(!isCodeWordShown)}
              >
                {isCodeWordShown ? "Hide code word" : "Show code word"}
              </Button>
            )}
            {mayPhone && (
              <Button component="a" href={telOf(phone.number)} variant="default" leftSection={<IconPhone {...icon} />}>
                Call
              </Button>
            )}
          </div>
        )
      }
    >
      {sentence(rules.join(", "))}
      {safe.note && <div>{safe.note}</div>}
      {isCodeWordShown && (
        <div>
          The code word is <strong>{safe.codeWord}</strong>
        </div>
      )}
    </Panel>
  );

  function titleOf() {
    if (!safe.mayPhone) return `Do not phone ${name}`;
    if (!phone) return `There is no phone number for ${name}`;
    return (
      <>
        You may phone {name} on{" "}
        <Anchor href={telOf(phone.number)} c="inherit" inherit underline="always">
          {phone.number}
        </Anchor>
      </>
    );
  }
}

const telOf = (number: string): string => `tel:${number.replace(/[^+\d]/g, "")}`;

const sentence = (text: string) =>
  text ? `${text.charAt(0).toUpperCase()}${text.slice(1)}.` : "No rule restricts how they may be reached.";
