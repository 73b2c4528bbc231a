import { Switch } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextLink } from "../../ui/links.tsx";

/** Whether whoever sends an enquiry form gets an answer at once, and where its words are. */
export function LeadReplyDialog({ onClose }: { onClose: () => void }) {
  const utils = api.useUtils();
  const settings = api.leads.settings.useQuery();
  const set = api.leads.setSettings.useMutation();
  const change = async (isReplyOn: boolean) => {
    try {
      utils.leads.settings.setData(undefined, await set.mutateAsync({ isReplyOn }));
      await utils.mailTemplates.invalidate();
      notify(isReplyOn ? "The automatic answer is on" : "The automatic answer is off");
    } catch (error) {
      notifyError(messageOf(error));
    }
  };
  return (
    <Dialog isOpen onClose={onClose} title="Automatic answer">
      <Loaded query={settings} failureTitle="The setting could not be read">
        {({ isReplyOn }) => (
          <Switch
            label="Answer every enquiry form at once"
            description="Once an hour to an address at most. Never to somebody who asked for another way, or who may not be mailed."
            checked={isReplyOn}
            disabled={set.isPending}
            onChange={(event) => void change(event.currentTarget.checked)}
          />
        )}
      </Loaded>
      <p className="quiet-text">
        Its words are the template “Automatic answer to an enquiry” on{" "}
        <TextLink to="/email-settings" search={{ tab: "templates" }}>
          the page Email
        </TextLink>
        , from when you first switch it on. Keep them neutral: you do not know yet who reads along.
      </p>
    </Dialog>
  );
}
