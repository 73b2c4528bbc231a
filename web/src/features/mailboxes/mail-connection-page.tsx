import type { FinishSignIn } from "@app/shared/mailboxes";
import { IconMail, IconMailCheck, IconMailX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useTitle } from "../../core/title.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { LinkButton } from "../../ui/links.tsx";
import { PageHead } from "../../ui/page-head.tsx";

const ICON = { size: 24, stroke: 1.7 };
const Back = () => <LinkButton to="/email-settings">Open email settings</LinkButton>;

/** Where a provider's page sends people back to: hands on what it brought, once. */
export function MailConnectionPage({ answer }: { answer: Partial<FinishSignIn> }) {
  useTitle("Email");
  const { state, status = "", code = "" } = answer;
  return (
    <>
      <PageHead title="Email" />
      {state === undefined ? (
        <EmptyState icon={<IconMail {...ICON} />} title="No mailbox was connected" actions={<Back />}>
          A mail provider sends you back to this page when you connect a mailbox. No connection was under way here, so
          nothing has changed.
        </EmptyState>
      ) : (
        <Finishing answer={{ state, status, code }} />
      )}
    </>
  );
}

function Finishing({ answer }: { answer: FinishSignIn }) {
  const utils = api.useUtils();
  const finish = api.mailboxes.finishSignIn.useMutation({ onSuccess: () => utils.mailboxes.invalidate() });
  // A query of the mutation, because its cache asks once, however often the page is drawn: the answer is good once.
  const finished = useQuery({
    queryKey: ["mailboxes.finishSignIn", answer.state],
    queryFn: () => finish.mutateAsync(answer),
    staleTime: Infinity,
    retry: false,
  });
  if (finished.data) {
    return (
      <EmptyState icon={<IconMailCheck {...ICON} />} title="Your mailbox is connected" actions={<Back />}>
        Mail that you send from here now comes from {finished.data.email}.
      </EmptyState>
    );
  }
  if (finished.error) {
    return (
      <div role="alert">
        <EmptyState icon={<IconMailX {...ICON} />} title="The mailbox was not connected" actions={<Back />}>
          {messageOf(finished.error)}
        </EmptyState>
      </div>
    );
  }
  return (
    <div role="status">
      <EmptyState icon={<IconMail {...ICON} />} title="Connecting your mailbox">
        The provider has sent you back. This takes a few seconds.
      </EmptyState>
    </div>
  );
}
