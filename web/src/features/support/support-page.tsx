import { Button, Group, Stack, Textarea } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useSession } from "../../core/session-state.ts";
import { useTitle } from "../../core/title.ts";
import { PageGrid } from "../../ui/page-grid.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { Section } from "../../ui/section.tsx";
import "./support-page.css";

const CANNOT_SEND =
  "Your message was not sent: this installation cannot send mail yet. Ask the person who runs it. Your text stays here.";
const NOT_PASSED_ON =
  "Your message was not sent: this installation has no address for support, or the same message was sent less than five minutes ago. Ask the person who runs it.";

export function SupportPage() {
  useTitle("Support");
  const isMailConfigured = useSession().status?.isMailConfigured ?? false;
  const report = api.support.reportError.useMutation();
  const form = useServerForm({
    initialValues: { message: "" },
    submit: async ({ message }) => {
      const { isReported } = await report.mutateAsync({ component: "Support page", message });
      if (!isReported || !isMailConfigured) {
        form.setFailure(isReported ? CANNOT_SEND : NOT_PASSED_ON);
        return;
      }
      form.reset();
      notify("Your message to support is on its way. The answer comes to your email address.");
    },
  });
  const side = (
    <Section title="Before you write">
      <ul className="support-list">
        <li>An error message may end with a code. Add it, and support finds what happened.</li>
        <li>Leave out names and details of clients: they are not needed to help you.</li>
        <li>Forgotten passwords are reset from the sign-in page.</li>
      </ul>
    </Section>
  );
  return (
    <>
      <PageHead title="Support" />
      <PageGrid main="text" side={side}>
        <Section title="Write to support">
          <Form form={form}>
            <Stack gap="lg" pt="md">
              <Textarea
                label="What happened?"
                description="What you did, what you expected and what you saw"
                autosize
                minRows={5}
                {...form.field("message")}
              />
              <Group>
                <Button type="submit" loading={form.isSaving}>
                  Send
                </Button>
              </Group>
            </Stack>
          </Form>
        </Section>
      </PageGrid>
    </>
  );
}
