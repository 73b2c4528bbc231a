import type { Plan } from "@app/shared/access";
import { Button, Radio, SegmentedControl, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { Section } from "../../ui/section.tsx";

const INTERVALS = [
  { value: "monthly", label: "Monthly" },
  { value: "yearly", label: "Yearly" },
] as const;

/** Starts a subscription on the provider's own page, which also names the price. */
export function PlanChoice() {
  const [plan, setPlan] = useState<Plan>("pro");
  const [interval, setInterval] = useState<"monthly" | "yearly">("monthly");
  const checkout = api.subscriptions.startCheckout.useMutation({
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <Section title="Start a subscription">
      <Stack gap="md" pt="md" align="flex-start">
        <Radio.Group
          label="Plan"
          value={plan}
          onChange={(value) => setPlan(value === "essential" ? "essential" : "pro")}
        >
          <Stack gap="sm" mt="xs">
            <Radio value="essential" label="Essential" />
            <Radio value="pro" label="Pro" />
          </Stack>
        </Radio.Group>
        <SegmentedControl
          aria-label="Paid"
          value={interval}
          data={[...INTERVALS]}
          onChange={(value) => setInterval(value === "yearly" ? "yearly" : "monthly")}
        />
        <Button loading={checkout.isPending} onClick={() => checkout.mutate({ plan, interval })}>
          Go to payment
        </Button>
        <p className="quiet-text">The next page names the price. You pay nothing on this one.</p>
      </Stack>
    </Section>
  );
}
