import { TextInput, type TextInputProps } from "@mantine/core";

/** The address that somebody signs in with. */
export function EmailField(field: TextInputProps) {
  return (
    <TextInput
      label="Email address"
      size="md"
      type="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...field}
    />
  );
}
