import { can } from "@app/shared/access";
import type { Case } from "@app/shared/cases";
import type { Client } from "@app/shared/clients";
import type { FormLink } from "@app/shared/form-links";
import { Button } from "@mantine/core";
import { IconForms } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { LoadedPage } from "../../core/loaded-page.tsx";
import { useCurrentUser } from "../../core/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/section.tsx";
import { FormLinkRow } from "./form-link-row.tsx";
import { SendFormDialog } from "./send-form-dialog.tsx";
import { SubmissionDialog } from "./submission-dialog.tsx";
import { UnlinkedAnswers } from "./unlinked-answers.tsx";
import "./submissions.css";

interface Props {
  client: Client;
  cases: readonly Case[];
  theCase: Case | null;
  page: number;
  onPage: (page: number) => void;
}

/** The forms that a client was asked to fill in, how each stands, and what they said. */
export function ClientFormsTab({ client, cases, theCase, page, onPage }: Props) {
  const user = useCurrentUser();
  const links = api.submissions.listLinks.useQuery({ clientId: client.id, page });
  const [isSending, setIsSending] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const mayChange = can(user, "clients.write");
  const send = mayChange && (
    <Button size="xs" variant="default" onClick={() => setIsSending(true)}>
      Send a form
    </Button>
  );
  const caseOf = ({ caseId }: FormLink) => cases.find(({ id }) => id === caseId) ?? null;
  return (
    <>
      <Section title="Forms" action={send}>
        <LoadedPage
          query={links}
          failureTitle="The forms of this client could not be read"
          page={page}
          words={["form", "forms"]}
          onPage={onPage}
          empty={
            <EmptyState icon={<IconForms size={24} stroke={1.7} />} title="No forms sent yet">
              Send this client a questionnaire to see their answers here. No other participant ever sees them.
            </EmptyState>
          }
        >
          {(items) => (
            <ul className="form-links">
              {items.map((link) => (
                <FormLinkRow
                  key={link.id}
                  link={link}
                  client={client}
                  theCase={caseOf(link)}
                  mayChange={mayChange}
                  onOpen={setOpened}
                />
              ))}
            </ul>
          )}
        </LoadedPage>
      </Section>
      <UnlinkedAnswers clientId={client.id} onOpen={setOpened} />
      {isSending && <SendFormDialog client={client} theCase={theCase} onClose={() => setIsSending(false)} />}
      {opened && <SubmissionDialog id={opened} mayChange={mayChange} onClose={() => setOpened(null)} />}
    </>
  );
}
