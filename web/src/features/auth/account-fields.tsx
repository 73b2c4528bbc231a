import { TextInput } from "@mantine/core";
import { NewPasswordField } from "../../ui/password-field.tsx";
import type { RegistrationForm } from "./practice-fields.tsx";

interface Props {
  form: RegistrationForm;
  /** Where the password is chosen later, by the mailed link. */
  isWithoutPassword?: boolean;
  /** Where the mailed link says which it is. */
  isEmailProved?: boolean;
}

/** Who the owner of a new practice is. */
export function AccountFields({ form, isWithoutPassword, isEmailProved = false }: Props) {
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
        readOnly={isEmailProved}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        {...form.field("email")}
      />
      {!isWithoutPassword && <NewPasswordField {...form.field("password")} />}
    </>
  );
}
