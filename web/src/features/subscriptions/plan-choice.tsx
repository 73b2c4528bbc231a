import type { Plan } from "@app/shared/access";
import { Button, Stack } from "@mantine/core";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { notifyError } from "../../core/notify.ts";
import { ChoiceField } from "../../ui/choice-field.tsx";
import { Section } from "../../ui/section.tsx";

const PLANS = { essential: "Essential", pro: "Pro" } as const;
const INTERVALS = { monthly: "Monthly", yearly: "Yearly" } as const;

/** Starts a subscription on the provider's own page, which also names the price. */
export function PlanChoice() {
  const [plan, setPlan] = useState<Plan | "">("");
  const [interval, setInterval] = useState<keyof typeof INTERVALS | "">("");
  const [wasTried, setWasTried] = useState(false);
  const checkout = api.subscriptions.startCheckout.useMutation({
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => notifyError(messageOf(error)),
  });
  const goOn = () => {
    setWasTried(true);
    if (plan !== "" && interval !== "") checkout.mutate({ plan, interval });
  };
  return (
    <Section title="Start a subscription">
      <Stack gap="md" pt="md" align="flex-start">
        <ChoiceField
          label="Plan"
          choices={PLANS}
          value={plan}
          error={wasTried && plan === "" ? "Choose a plan" : undefined}
          onChange={(chosen) => setPlan(chosen)}
        />
        <ChoiceField
          label="Paid"
          choices={INTERVALS}
          value={interval}
          error={wasTried && interval === "" ? "Choose how it is paid" : undefined}
          onChange={(chosen) => setInterval(chosen)}
        />
        <Button loading={checkout.isPending} onClick={goOn}>
          Go to payment
        </Button>
        <p className="quiet-text">The next page names the price. You pay nothing on this one.</p>
      </Stack>
    </Section>
  );
}
