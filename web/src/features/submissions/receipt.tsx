import { RECEIPT_ADDRESS, type MailsTo } from "@app/shared/submission-limits";
import { Button } from "@mantine/core";
import { apiClient } from "../../core/api-client.ts";
import { MailToSelf } from "./mail-to-self.tsx";

interface Props {
  receipt: string;
  mailsTo: MailsTo;
}

/** For whoever wants something in their hands: nothing of it comes by itself. */
export function Receipt({ receipt, mailsTo }: Props) {
  return (
    <section className="form-receipt" aria-labelledby="receipt-title">
      <h2 id="receipt-title">For yourself</h2>
      <p className="plain-small">
        Your answers can be saved as a PDF. The file stays on this phone or computer, where others who use it may find
        it. You can have it for an hour, as long as this page is open.
      </p>
      <Button
        component="a"
        variant="default"
        size="lg"
        fullWidth
        href={`${RECEIPT_ADDRESS}?receipt=${encodeURIComponent(receipt)}`}
        download="answers.pdf"
      >
        Save your answers (PDF)
      </Button>
      {mailsTo !== "none" && (
        <p className="plain-small">We can also send you an email that your answers arrived. None of them are in it.</p>
      )}
      <MailToSelf
        mailsTo={mailsTo}
        label="Email me that they arrived"
        send={(to) => apiClient.submissions.filling.mailReceipt.mutate({ ...to, receipt })}
      />
    </section>
  );
}
