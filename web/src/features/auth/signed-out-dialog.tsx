import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { queryClient } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { loseSignIn, rememberSession } from "../../core/session-state.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFailure } from "../../ui/form-failure.tsx";

/** The way back in that leaves what is typed where it is. */
export function SignedOutDialog({ onClose }: { onClose: () => void }) {
  const { userEmail } = useCurrentUser();
  const [failure, setFailure] = useState<string | null>(null);
  async function goOn() {
    try {
      const status = await apiClient.auth.status.query();
      if (!status.user) return setFailure(`Nobody is signed in as ${userEmail} yet. Do that first, then try again.`);
      rememberSession(status);
      onClose();
      await queryClient.invalidateQueries();
    } catch (error) {
      setFailure(messageOf(error));
    }
  }
  const footer = (
    <>
      <Button variant="default" onClick={loseSignIn}>
        Leave without saving
      </Button>
      <Button variant="default" component="a" href="/login" target="_blank" rel="noopener">
        Open sign-in
      </Button>
      <Button onClick={() => void goOn()}>I have signed in</Button>
    </>
  );
  return (
    <Dialog isOpen onClose={onClose} title="You were signed out" footer={footer}>
      <Stack>
        <span>
          Nothing is lost: what you typed is still on this page. Sign in again in a new tab as {userEmail}, come back
          here, and save it.
        </span>
        {failure && <FormFailure>{failure}</FormFailure>}
      </Stack>
    </Dialog>
  );
}
