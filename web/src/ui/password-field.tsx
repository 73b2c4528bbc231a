import { TextInput, type TextInputProps, UnstyledButton } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useState } from "react";
import "./password-field.css";

/** A password that can be looked at, also with the keyboard. */
export function PasswordField(props: TextInputProps) {
  const [isShown, setIsShown] = useState(false);
  const Eye = isShown ? IconEyeOff : IconEye;
  const toggle = (
    <UnstyledButton
      className="password-toggle"
      aria-label={isShown ? "Hide the password" : "Show the password"}
      onClick={() => setIsShown(!isShown)}
    >
      <Eye size={20} stroke={1.7} aria-hidden />
    </UnstyledButton>
  );
  return (
    <TextInput
      type={isShown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      rightSection={toggle}
      rightSectionPointerEvents="all"
      {...props}
    />
  );
}

/** Where somebody without a sign-in chooses one. */
export const NewPasswordField = (props: TextInputProps) => (
  <PasswordField
    label="Password"
    description="At least 12 characters. Three or four words make a good one."
    size="md"
    autoComplete="new-password"
    {...props}
  />
);
