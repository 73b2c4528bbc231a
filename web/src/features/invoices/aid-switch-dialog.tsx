import { COVER_NAMES, isCovered } from "@app/shared/aid-switch";
import { moneyText } from "@app/shared/answer-texts";
import type { Case } from "@app/shared/cases";
import type { AidPreview } from "@app/shared/fundings";
import { Stack } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form, useServerForm } from "../../core/form.tsx";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { useMoneyChanged } from "../payments/use-money-changed.ts";
import {
  type AidValues,
  answerKey,
  coverSaid,
  FIRST_CHOICES,
  isUnsaid,
  reliefByPayer,
  saidOf,
} from "./aid-switch-values.ts";
import "./invoices.css";

interface Props {
  theCase: Case;
  onClose: () => void;
}

type AidForm = ReturnType<typeof useServerForm<AidValues>>;

/** Legal aid begins to pay for somebody: what it pays for is charged no more, and what was paid of that goes back. */
export function AidSwitchDialog({ theCase, onClose }: Props) {
  const changed = useMoneyChanged();
  const utils = api.useUtils();
  const act = api.fundings.switchToLegalAid.useMutation();
  const looked = (partyId: string) => utils.fundings.previewAid.getData({ caseId: theCase.id, partyId });
  const form = useServerForm<AidValues>({
    initialValues: { partyId: "", answers: {} },
    validate(values) {
      if (values.partyId === "") return { partyId: "Choose who gets legal aid" };
      const preview = looked(values.partyId);
      if (!preview) return { partyId: "Wait until the invoices of the case are shown" };
      return isUnsaid(preview, values) ? { invoices: "Say of each session whether it was the first one" } : {};
    },
    async submit(values) {
      const preview = looked(values.partyId);
      if (!preview) throw new Error("the form was sent without what it is about");
      const { partyId } = values;
      const invoices = preview.invoices.map((invoice) => saidOf(invoice, values));
      try {
        const { toReturn } = await act.mutateAsync({ id: theCase.id, version: preview.version, partyId, invoices });
        notify(toReturn.length === 0 ? "Legal aid pays now" : "Legal aid pays now. A task says what goes back to whom");
        onClose();
      } finally {
        await Promise.all([changed(), utils.cases.invalidate(), utils.fundings.invalidate()]);
      }
    },
  });
  const { values, errors } = form;
  const open = theCase.parties.filter(({ funding, leftAt }) => funding.type !== "legal_aid" && leftAt === null);
  return (
    <Dialog isOpen onClose={onClose} title="Switch to legal aid" size="form">
      <Form form={form} label="Switch to legal aid">
        <Stack gap="lg">
          <p>
            Legal aid pays for the whole case of whoever gets it, also for what they were charged before. Of the other
            participant it pays the MIAM and the first session; later ones stay theirs to pay.
          </p>
          <ChoiceField
            label="Who gets legal aid"
            choices={Object.fromEntries(open.map(({ partyId, name }) => [partyId, name]))}
            value={values.partyId}
            error={errors["partyId"]}
            isTall
            onChange={(partyId) => form.setValues({ partyId, answers: {} })}
          />
          {values.partyId !== "" && <Charged caseId={theCase.id} form={form} />}
          {errors["invoices"] && <p className="invoice-error">{errors["invoices"]}</p>}
          <FormFoot isSaving={form.isSaving} isSticky>
            Switch to legal aid
          </FormFoot>
        </Stack>
      </Form>
    </Dialog>
  );
}

function Charged({ caseId, form }: { caseId: string; form: AidForm }) {
  const preview = api.fundings.previewAid.useQuery({ caseId, partyId: form.values.partyId }, { staleTime: 0 });
  return (
    <Loaded query={preview} failureTitle="The invoices of this case could not be read">
      {(found) => (
        <>
          {found.invoices.map((invoice) => (
            <ChargedInvoice key={invoice.id} invoice={invoice} form={form} />
          ))}
          <Outcome preview={found} values={form.values} />
        </>
      )}
    </Loaded>
  );
}

function ChargedInvoice({ invoice, form }: { invoice: AidPreview["invoices"][number]; form: AidForm }) {
  const { id, number, payerName, currency, lines, creditedMinor } = invoice;
  const { answers } = form.values;
  return (
    <section aria-label={`${number}, ${payerName}`} className="aid-invoice">
      <h3 className="aid-invoice-name">
        {payerName}, invoice {number}
      </h3>
      <ul className="aid-lines">
        {lines.map((line, at) => {
          const key = answerKey(id, at);
          const cover = coverSaid(line, answers[key]);
          return (
            <li key={key}>
              <span className="aid-line">
                <span>{line.description}</span>
                <span className="tabular">{moneyText(line.grossMinor, currency)}</span>
              </span>
              {line.cover === "unsaid" && (
                <ChoiceField
                  label="Was this their first session?"
                  choices={FIRST_CHOICES}
                  value={answers[key] ?? ""}
                  error={undefined}
                  onChange={(answer) => form.setFieldValue("answers", { ...answers, [key]: answer })}
                />
              )}
              {cover !== "unsaid" && (
                <span className="quiet-text">
                  {isCovered(cover) ? "Charged no more. " : ""}
                  {COVER_NAMES[cover]}.
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {creditedMinor > 0 && (
        <p className="quiet-text">
          {moneyText(creditedMinor, currency)} of it was credited before, and counts as a part of this.
        </p>
      )}
    </section>
  );
}

/** What each payer is told by the credit notes that come of it. */
function Outcome({ preview, values }: { preview: AidPreview; values: AidValues }) {
  const reliefs = reliefByPayer(preview, values);
  return (
    <div aria-live="polite">
      {reliefs.length === 0 && <p>Nothing that was charged is credited.</p>}
      {reliefs.map(({ key, payerName, currency, creditMinor, notOwedMinor, toReturnMinor }) => (
        <p key={key}>
          <strong>
            {payerName}: {moneyText(creditMinor, currency)} credited.
          </strong>{" "}
          {notOwedMinor > 0 && `${moneyText(notOwedMinor, currency)} is owed no more. `}
          {toReturnMinor > 0 &&
            `${moneyText(toReturnMinor, currency)} was paid: it is held for them until you give it back.`}
        </p>
      ))}
      {preview.draftCount > 0 && (
        <p className="quiet-text">
          {preview.draftCount === 1 ? "One draft stays as it is" : `${preview.draftCount} drafts stay as they are`}:
          look at {preview.draftCount === 1 ? "it" : "them"} before you issue {preview.draftCount === 1 ? "it" : "them"}
          .
        </p>
      )}
    </div>
  );
}
