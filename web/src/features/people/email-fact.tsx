import { Anchor } from "@mantine/core";

/** A person's address among their facts, as a link that writes to it. */
export const emailFact = (email: string, none: string) => ({
  label: "Email",
  value: email ? (
    <Anchor href={`mailto:${email}`} fz="inherit">
      {email}
    </Anchor>
  ) : (
    none
  ),
});
