import { can } from "@app/shared/access";
import { firstOfMonth, lastOfMonth } from "./month-ends.ts";
import { Button, Radio, SimpleGrid, Stack, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { downloadOf } from "../../core/download.ts";
import { useCurrentUser } from "../../core/session.ts";
import { useToday } from "../../core/today.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { BackButton } from "../../ui/form-foot.tsx";

const WHAT = {
  payments: { label: "Payments and refunds", description: "Money as it came and went, by the day" },
  invoices: { label: "Invoices", description: "Those that were issued in these days, as they stand now" },
  ledger: { label: "Ledger", description: "Every entry of the book; debits and credits come to the same" },
} as const;
type What = keyof typeof WHAT;
const ALL = ["payments", "invoices", "ledger"] as const satisfies readonly What[];

/** What an accountant asks for, of a period. */
export function AccountsExportDialog({ onClose }: { onClose: () => void }) {
  const user = useCurrentUser();
  const before = firstOfMonth(useToday(), -1);
  const [what, setWhat] = useState<What>("payments");
  const [from, setFrom] = useState(before);
  const [to, setTo] = useState(lastOfMonth(before));
  const mayReadBook = can(user, "reports.read") && !can(user, "assigned_only");
  const isPeriod = from !== "" && to !== "" && from <= to;
  const address = (kind: string) => `/export/${what}.${kind}?${new URLSearchParams({ from, to })}`;
  const button = (kind: string, label: string) =>
    isPeriod ? (
      <Button
        {...downloadOf(address(kind))}
        variant="default"
        leftSection={<IconDownload size={16} stroke={1.7} aria-hidden />}
      >
        {label}
      </Button>
    ) : (
      <Button variant="default" disabled>
        {label}
      </Button>
    );
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Export for accounts"
      size="form"
      footer={
        <>
          <BackButton>Close</BackButton>
          {button("xlsx", "Export Excel")}
          {button("csv", "Export CSV")}
        </>
      }
    >
      <Stack gap="lg">
        <Radio.Group label="What" value={what} onChange={(value) => setWhat(ALL.find((one) => one === value) ?? what)}>
          <Stack gap="xs" mt="xs">
            {ALL.filter((one) => one !== "ledger" || mayReadBook).map((one) => (
              <Radio key={one} value={one} label={WHAT[one].label} description={WHAT[one].description} />
            ))}
          </Stack>
        </Radio.Group>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
          <TextInput label="From" type="date" value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
          <TextInput
            label="To"
            type="date"
            value={to}
            error={from !== "" && to !== "" && from > to ? "Choose a last day that is not before the first" : undefined}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
        </SimpleGrid>
      </Stack>
    </Dialog>
  );
}
