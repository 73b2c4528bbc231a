import { Button, TextInput } from "@mantine/core";
import { apiClient } from "../../core/api-client.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { useTitle } from "../../core/title.ts";
import { LoginHead } from "./login-head.tsx";
import { useEnter } from "./use-enter.ts";

/** The password was right; now the code of the authenticator. */
export function SecondFactorForm({ redirect }: { redirect: string | undefined }) {
  useTitle("Second step of signing in");
  const enter = useEnter(redirect);
  const form = useServerForm({
    initialValues: { code: "" },
    submit: async (values) => {
      await apiClient.auth.verifySecondFactor.mutate(values);
      await enter();
    },
  });
  const startAgain = async () => {
    await apiClient.auth.signOut.mutate();
    window.location.assign("/");
  };
  return (
    <div className="login-narrow">
      <LoginHead title="Enter your code">
        Open your authenticator app and type the six digits it shows for this site. Without the app, use one of your
        recovery codes.
      </LoginHead>
      <Form form={form} className="login-fields">
        <TextInput
          label="Code"
          size="md"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          autoFocus
          {...form.field("code")}
        />
        <Button type="submit" size="md" fullWidth loading={form.isSaving}>
          Sign in
        </Button>
        <Button variant="default" size="md" fullWidth onClick={() => void startAgain()}>
          Sign in as somebody else
        </Button>
      </Form>
    </div>
  );
}
