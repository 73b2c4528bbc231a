import type { MailSignIn } from "@app/shared/mailboxes";
import { Button } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";

const NAMES: Record<MailSignIn, string> = { Google: "Google", Office365: "Microsoft" };

interface Props {
  signIns: readonly MailSignIn[];
}

/** Providers where one signs in on their own page, where this installation can do that. */
export function SignInButtons({ signIns }: Props) {
  if (signIns.length === 0) return null;
  return (
    <>
      <p className="mailbox-text">
        With Google or Microsoft no password is needed here: you sign in on their page, and they send you back. A
        mailbox connected in this way only sends: what comes to it is not shown here.
      </p>
      <div className="mailbox-buttons">
        {signIns.map((provider) => (
          <SignInButton key={provider} provider={provider} />
        ))}
      </div>
      <p className="mailbox-text">Any other mailbox is connected with its address and password.</p>
    </>
  );
}

export function SignInButton({ provider }: { provider: MailSignIn }) {
  const start = api.mailboxes.startSignIn.useMutation({
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <Button variant="default" loading={start.isPending || start.isSuccess} onClick={() => start.mutate({ provider })}>
      Sign in with {NAMES[provider]}
    </Button>
  );
}
