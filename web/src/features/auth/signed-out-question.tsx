import { useEffect, useState } from "react";
import { onLostSignIn } from "../../core/lost-sign-in.ts";
import { later } from "../../ui/later.tsx";

const SignedOutDialog = later(async () => (await import("./signed-out-dialog.tsx")).SignedOutDialog);

/** Where the page says that somebody is signed out, while it keeps what they typed. */
export function SignedOutQuestion() {
  const [isShown, setIsShown] = useState(false);
  useEffect(() => onLostSignIn(() => setIsShown(true)), []);
  return isShown && <SignedOutDialog onClose={() => setIsShown(false)} />;
}
