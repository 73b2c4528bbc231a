import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { checkSession, useCurrentUser } from "../../core/session.ts";
import { Chip } from "../../ui/chip.tsx";
import { Section } from "../../ui/section.tsx";
import { DisableTwoFactorDialog } from "./disable-two-factor-dialog.tsx";
import { EnableTwoFactorDialog } from "./enable-two-factor-dialog.tsx";

/** The code of an authenticator after the password; each person's own, or asked for by the owner. */
export function TwoFactorSection() {
  const { isTwoFactorOn } = useCurrentUser();
  const [open, setOpen] = useState<"enable" | "disable" | null>(null);
  const close = () => {
    setOpen(null);
    void checkSession({ isFresh: true });
  };
  return (
    <Section
      title="Second factor"
      action={<Chip tone={isTwoFactorOn ? "agreed" : "outline"}>{isTwoFactorOn ? "On" : "Off"}</Chip>}
    >
      <p className="quiet-text">
        {isTwoFactorOn
          ? "After your password you enter a code of your authenticator app, or one of your recovery codes."
          : "With a second factor a stolen password is not enough: after it you enter a code that your phone shows."}
      </p>
      <Group>
        {isTwoFactorOn ? (
          <Button variant="default" onClick={() => setOpen("disable")}>
            Switch off
          </Button>
        ) : (
          <Button onClick={() => setOpen("enable")}>Set up</Button>
        )}
      </Group>
      {open === "enable" && <EnableTwoFactorDialog onClose={close} />}
      {open === "disable" && <DisableTwoFactorDialog onClose={close} />}
    </Section>
  );
}
