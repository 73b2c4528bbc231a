import type { Case } from "@app/shared/cases";
import {
  FIGURE_OWNER_NAMES,
  FINANCE_CATEGORIES,
  FINANCE_CATEGORY_NAMES,
  type FinanceCategory,
} from "@app/shared/finance-categories";
import type { Figure } from "@app/shared/finances";
import type { MarkedFiles } from "@app/shared/files";
import { NativeSelect, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { api } from "../../core/api.ts";
import { Form } from "../../core/form.tsx";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notify } from "../../core/notify.ts";
import { useNewRecord, useRecordEditor } from "../../core/record-editor.tsx";
import { useToday } from "../../core/today.ts";
import { VersionedForm } from "../../core/versioned-form.tsx";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormFoot } from "../../ui/form-foot.tsx";
import { AmountField } from "../../ui/amount-field.tsx";
import {
  emptyFigure,
  figureFields,
  figureOf,
  figureProblems,
  type FigureValues,
  figureValues,
} from "./figure-record.ts";
import { amountText, sourceText } from "./finance-words.ts";
import { useFinancesChanged } from "./use-finances.ts";

export interface FigurePlace {
  theCase: Case;
  currency: string;
  party: { partyId: string; name: string };
  /** Where it is to stand; chosen in the form where nobody said. */
  category: FinanceCategory | "";
}

interface Props extends FigurePlace {
  /** Null for a new one. */
  figure: Figure | null;
  onClose: () => void;
}

/** One figure of what a participant discloses. */
export function FigureDialog(props: Props) {
  const { figure, party, theCase } = props;
  const files = api.files.marked.useQuery({ caseId: theCase.id });
  const title = figure ? `Change a figure of ${party.name}` : `New figure of ${party.name}`;
  return (
    <Dialog isOpen onClose={props.onClose} title={title} size="form">
      <Loaded query={files} failureTitle="The files of this case could not be read">
        {(found) =>
          figure ? <EditForm {...props} figure={figure} files={found} /> : <NewForm {...props} files={found} />
        }
      </Loaded>
    </Dialog>
  );
}

type FormProps = Props & { files: MarkedFiles };

function useSaved(onClose: () => void) {
  const changed = useFinancesChanged();
  return (label: string) => {
    void changed();
    notify(`${label} is saved`);
    onClose();
  };
}

function NewForm({ theCase, party, category, currency, files, onClose }: FormProps) {
  const saved = useSaved(onClose);
  const add = api.finances.addFigure.useMutation();
  const form = useNewRecord<FigureValues, Figure>({
    initialValues: emptyFigure(category),
    validate: (values) => figureProblems(values, currency),
    create: (values, id) =>
      add.mutateAsync({ id, caseId: theCase.id, partyId: party.partyId, figure: figureOf(values, currency) }),
    onCreated: ({ label }) => saved(label),
  });
  return (
    <Form form={form} label="Figure">
      <FigureFields form={form} currency={currency} files={files} />
    </Form>
  );
}

function EditForm({ figure, currency, files, onClose }: FormProps & { figure: Figure }) {
  const utils = api.useUtils();
  const saved = useSaved(onClose);
  const update = api.finances.updateFigure.useMutation();
  const form = useRecordEditor<FigureValues, Figure>({
    record: figure,
    fields: figureFields((id) => nameOf(files, id)),
    valuesOf: (one) => figureValues(one, currency),
    validate: (values) => figureProblems(values, currency),
    read: () => utils.finances.figure.fetch({ id: figure.id }, { staleTime: 0 }),
    save: (values, version) => update.mutateAsync({ id: figure.id, version, figure: figureOf(values, currency) }),
    onSaved: ({ label }) => saved(label),
  });
  return (
    <VersionedForm form={form} what="figure" label="Figure">
      <FigureFields form={form} currency={currency} files={files} />
      <FigureHistory figure={figure} currency={currency} />
    </VersionedForm>
  );
}

const nameOf = ({ items }: MarkedFiles, id: string): string => items.find((file) => file.id === id)?.name ?? "";

interface FieldsProps {
  form:
    | ReturnType<typeof useNewRecord<FigureValues, Figure>>
    | ReturnType<typeof useRecordEditor<FigureValues, Figure>>;
  currency: string;
  files: MarkedFiles;
}

function FigureFields({ form, currency, files }: FieldsProps) {
  const today = useToday();
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <NativeSelect
          label="Kind"
          data={[
            { value: "", label: "Choose" },
            ...FINANCE_CATEGORIES.map((value) => ({ value, label: FINANCE_CATEGORY_NAMES[value] })),
          ]}
          {...form.field("category")}
        />
        <TextInput label="What it is" placeholder="Joint account at Calder Bank" {...form.field("label")} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <AmountField
          label="Amount"
          description="Leave it empty while it is not known yet"
          currency={currency}
          {...form.field("amount")}
        />
        <TextInput
          label="Day of the figure"
          description="The day that the statement or letter is of"
          type="date"
          max={today}
          {...form.field("asOf")}
        />
      </SimpleGrid>
      <ChoiceField
        label="Whose it is"
        choices={FIGURE_OWNER_NAMES}
        value={form.values.owner}
        error={form.errors["owner"]}
        isTall
        onChange={(owner) => form.setFieldValue("owner", owner)}
      />
      <NativeSelect
        label="Paper that shows it"
        description={files.isComplete ? "A file of this case" : "A file of this case; the newest are listed"}
        data={[{ value: "", label: "None" }, ...files.items.map(({ id, name }) => ({ value: id, label: name }))]}
        {...form.field("evidenceFileId")}
      />
      <FormFoot isSaving={form.isSaving}>Save</FormFoot>
    </Stack>
  );
}

/** What stood there before, and where that was known from. */
function FigureHistory({ figure, currency }: { figure: Figure; currency: string }) {
  const formats = useFormats();
  const { data } = api.finances.history.useQuery({ id: figure.id });
  if (!data || data.items.length === 0) return null;
  return (
    <details className="figure-history">
      <summary>Before ({data.items.length})</summary>
      <ul>
        {data.items.map((earlier) => (
          <li key={earlier.savedAt}>
            {earlier.label}: {amountText(earlier.amountMinor, currency)}.{" "}
            <span className="quiet-text">
              {sourceText(earlier.source, formats)}. Saved by {earlier.savedByName}, {formats.dateTime(earlier.savedAt)}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
