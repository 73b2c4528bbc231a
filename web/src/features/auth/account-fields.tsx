import { TextInput } from "@mantine/core";
import { PasswordField } from "../../ui/password-field.tsx";
import type { RegistrationForm } from "./practice-fields.tsx";

/** Who the owner of a new practice is. */
export function AccountFields({ form }: { form: RegistrationForm }) {
  return (
    <>
      <div className="login-pair">
        <TextInput label="First name" size="md" autoComplete="given-name" {...form.field("firstName")} />
        <TextInput label="Last name" size="md" autoComplete="family-name" {...form.field("lastName")} />
      </div>
      <TextInput
        label="Email address"
        description="You sign in with it"
        size="md"
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field("email")}
      />
      <PasswordField
        label="Password"
        description="At least 12 characters. Three or four words make a good one."
        size="md"
        autoComplete="new-password"
        {...form.field("password")}
      />
    </>
  );
}
