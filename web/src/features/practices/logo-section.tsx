import { letterheadSchema, LOGO_ADDRESS, logoAddress } from "@app/shared/letterheads";
import { Button, FileButton, Group, Text } from "@mantine/core";
import { IconPhoto } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { makeId } from "../../core/new-id.ts";
import { notify, notifyError } from "../../core/notify.ts";
import { redrawn } from "../../core/redraw-picture.ts";
import { sendFile } from "../../core/send-file.ts";
import { Section } from "../../ui/section.tsx";
import "./logo-section.css";

const ACCEPTED = "image/png,image/jpeg,image/webp,image/gif";
const SIDE_MAX = 800;
const CLEAR_MAX_BYTES = 1_000_000;

/** The logo of the practice, which only the owner changes. */
export function LogoSection() {
  const utils = api.useUtils();
  const { data } = api.letterheads.get.useQuery();
  const [isSending, setIsSending] = useState(false);
  const removing = api.letterheads.removeLogo.useMutation({
    onSuccess: (letterhead) => utils.letterheads.get.setData(undefined, letterhead),
    onError: (error) => notifyError(messageOf(error)),
  });
  const choose = async (file: File | null) => {
    if (!file) return;
    setIsSending(true);
    try {
      const small = await redrawn(file, { sideMax: SIDE_MAX, clearMaxBytes: CLEAR_MAX_BYTES });
      const upload = encodeURIComponent(JSON.stringify({ id: makeId(), name: small.name }));
      const answer = await sendFile(small, `${LOGO_ADDRESS}?upload=${upload}`, () => undefined).done;
      utils.letterheads.get.setData(undefined, letterheadSchema.parse(JSON.parse(answer)));
      notify("The logo is saved");
    } catch (error) {
      // Why it was not kept stands in it, whoever refused it.
      notifyError(error instanceof Error ? error.message : "The logo was not kept. Try again.");
    } finally {
      setIsSending(false);
    }
  };
  const logoId = data?.logoId ?? null;
  return (
    <Section title="Logo">
      <Text size="sm" c="dimmed" pt="sm">
        It stands beside the name of the practice, on each page of what you write here.
      </Text>
      {logoId && (
        <div className="practice-logo">
          <img src={logoAddress(logoId)} alt="Logo of the practice" />
        </div>
      )}
      <Group gap="sm" pt="sm">
        <FileButton accept={ACCEPTED} onChange={(file) => void choose(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              loading={isSending}
              leftSection={<IconPhoto size={16} stroke={1.7} aria-hidden />}
            >
              {logoId ? "Another logo" : "Add a logo"}
            </Button>
          )}
        </FileButton>
        {logoId && (
          <Button variant="subtle" loading={removing.isPending} onClick={() => removing.mutate()}>
            Take out the logo
          </Button>
        )}
      </Group>
    </Section>
  );
}
