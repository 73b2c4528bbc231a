import { type ComponentType, useEffect, useState } from "react";
import { onLostSignIn } from "../../core/lost-sign-in.ts";

type Notice = ComponentType<{ onClose: () => void }>;

/** Where the page says that somebody is signed out, while it keeps what they typed. */
export function SignedOutQuestion() {
  const [SignedOut, setSignedOut] = useState<Notice | null>(null);
  useEffect(
    () =>
      onLostSignIn(() => {
        void import("./signed-out-dialog.tsx").then(({ SignedOutDialog }) => setSignedOut(() => SignedOutDialog));
      }),
    [],
  );
  return SignedOut && <SignedOut onClose={() => setSignedOut(null)} />;
}
