import { can } from "@app/shared/access";
import { Switch } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify, notifyError } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { Section } from "../../ui/section.tsx";

/** Whether receipts of card payments go by themselves. */
export function ReceiptsSection() {
  const settings = api.payments.receiptSettings.useQuery();
  const utils = api.useUtils();
  const mayChange = can(useCurrentUser(), "payments.manage");
  const save = api.payments.setReceiptSettings.useMutation({
    onSuccess: (saved) => {
      utils.payments.receiptSettings.setData(undefined, saved);
      notify(saved.isSentByItself ? "Receipts now go by themselves" : "Receipts are sent by hand");
    },
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <Section title="Receipts">
      <Loaded query={settings} failureTitle="The receipt settings could not be read">
        {({ isSentByItself }) => (
          <Switch
            mt="sm"
            label="Email a receipt when an invoice is paid by card or bank debit"
            description="Only to payers who may be emailed. For anybody else, and for whoever is reached discreetly, you get a task instead. The receipt of any payment can also be sent by hand from its menu."
            checked={isSentByItself}
            disabled={!mayChange || save.isPending}
            onChange={(event) => save.mutate({ isSentByItself: event.currentTarget.checked })}
          />
        )}
      </Loaded>
    </Section>
  );
}
