import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useState } from "react";

/** A password that can be looked at, also with the keyboard. */
export function PasswordField(props: PasswordInputProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <PasswordInput
      visible={isShown}
      onVisibilityChange={setIsShown}
      visibilityToggleButtonProps={{ "aria-label": isShown ? "Hide the password" : "Show the password", tabIndex: 0 }}
      {...props}
    />
  );
}
