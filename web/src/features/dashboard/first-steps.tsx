import { can } from "@app/shared/access";
import type { MediatorType } from "@app/shared/regions";
import { importableKinds } from "@app/shared/team-access";
import type { CurrentUser } from "@app/shared/users";
import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { api } from "../../core/api.ts";
import { useCurrentUser } from "../../core/session.ts";
import { TextLink } from "../../ui/links.tsx";
import { Section } from "../../ui/section.tsx";
import "./first-steps.css";

const FIRST: Record<MediatorType, string> = {
  family: "Add the people who mediate with you",
  workplace: "Add the colleagues in dispute, and their employer as a contact",
  civil: "Add the people or companies in dispute, and their solicitors as contacts",
  community: "Add the neighbours or groups in dispute",
  other: "Add the people who mediate with you",
};

interface Step {
  name: string;
  link: ReactNode;
  text: ReactNode;
  isDone: boolean;
}

/** What to do first, while there are no cases, and what of it is done. */
export function FirstSteps() {
  const steps = useSteps();
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <Section title="Getting started" count={`${done} of ${steps.length} done`}>
      <ol className="first-steps">
        {steps.map(({ name, link, text, isDone }) => (
          <li key={name} data-done={isDone || undefined}>
            {isDone ? (
              <IconCircleCheckFilled size={20} aria-hidden />
            ) : (
              <IconCircle size={20} stroke={1.7} aria-hidden />
            )}
            <div>
              {isDone && <span className="visually-hidden">Done: </span>}
              {link}
              <div className="first-steps-text">{text}</div>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** Those that this person may take, with what the records say about them. */
function useSteps(): Step[] {
  const user = useCurrentUser();
  const mayBook = can(user, "calendar.manage");
  const maySend = can(user, "mail.send");
  const hours = api.meetings.availability.useQuery(undefined, { enabled: mayBook });
  const mailbox = api.mailboxes.get.useQuery(undefined, { enabled: maySend });
  const people = api.users.colleagues.useQuery();
  const clients = api.clients.list.useQuery({});
  return [
    ...(mayBook ? [hoursStep((hours.data?.version ?? 0) > 0)] : []),
    ...(maySend ? [mailStep(Boolean(mailbox.data?.connected))] : []),
    ...(can(user, "staff.manage") ? [colleagueStep((people.data?.items.length ?? 0) > 1)] : []),
    ...(can(user, "clients.write") ? [clientStep(user, (clients.data?.total ?? 0) > 0), caseStep] : []),
  ];
}

const hoursStep = (isDone: boolean): Step => ({
  name: "hours",
  link: (
    <TextLink to="/calendar" search={{ settings: "open" }} inherit>
      Set your working hours
    </TextLink>
  ),
  text: "Clients can then book only when you work.",
  isDone,
});

const mailStep = (isDone: boolean): Step => ({
  name: "mail",
  link: (
    <TextLink to="/email-settings" inherit>
      Connect your mailbox
    </TextLink>
  ),
  text: "Send and read your clients’ email here.",
  isDone,
});

const colleagueStep = (isDone: boolean): Step => ({
  name: "colleague",
  link: (
    <TextLink to="/settings/user-permissions" search={{ invite: true }} inherit>
      Invite a colleague
    </TextLink>
  ),
  text: "You choose what each of them may see and do.",
  isDone,
});

const clientStep = (user: CurrentUser, isDone: boolean): Step => ({
  name: "client",
  link: (
    <TextLink to="/clients/create" inherit>
      Add your first client
    </TextLink>
  ),
  text: (
    <>
      {FIRST[user.mediatorType]}
      {importableKinds(user).length > 0 && (
        <>
          , or{" "}
          <TextLink to="/account" search={{ tab: "data", import: "new" }} inherit underline="always">
            import a list from Excel
          </TextLink>
        </>
      )}
      .
    </>
  ),
  isDone,
});

/** Once it is done, the cases stand in the place of this list. */
const caseStep: Step = {
  name: "case",
  link: (
    <TextLink to="/clients" inherit>
      Open your first case
    </TextLink>
  ),
  text: "Choose the client, then “Open a case”. Your cases will be listed here.",
  isDone: false,
};
