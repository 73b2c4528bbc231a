import { moneyText } from "@app/shared/answer-texts";
import type { Subscription } from "@app/shared/subscriptions";
import { Button, Group } from "@mantine/core";
import { api } from "../../core/api.ts";
import { messageOf } from "../../core/errors.ts";
import { useFormats } from "../../core/format.ts";
import { Loaded } from "../../core/loaded.tsx";
import { notifyError } from "../../core/notify.ts";
import { Chip } from "../../ui/chip.tsx";
import { Facts } from "../../ui/facts.tsx";
import { PageGrid } from "../../ui/page-grid.tsx";
import { Section } from "../../ui/section.tsx";
import { PlanChoice } from "./plan-choice.tsx";
import "./subscription-tab.css";

const PLAN_NAMES = { essential: "Essential", pro: "Pro" } as const;

/** The provider's own words for a state, said plainly. */
const STATUS_NAMES = new Map([
  ["active", "Active"],
  ["trialing", "Trial"],
  ["past_due", "Payment overdue"],
  ["unpaid", "Unpaid"],
  ["canceled", "Ended"],
  ["incomplete", "First payment missing"],
  ["incomplete_expired", "First payment missing"],
  ["paused", "Paused"],
]);

export function SubscriptionTab() {
  const subscription = api.subscriptions.get.useQuery();
  return (
    <Loaded query={subscription} failureTitle="The subscription could not be read">
      {(data) => (
        <PageGrid main="text" side={<AboutBilling subscription={data} />}>
          <YourPlan subscription={data} />
          {data.billing === "stripe" && data.isOwner && !data.hasAccess && <PlanChoice />}
        </PageGrid>
      )}
    </Loaded>
  );
}

/** What the day at its end is called. */
function endName({ status, isEnding, isGiven, hasAccess }: Subscription): string {
  if (!hasAccess) return "Was paid until";
  if (status === "trialing") return isEnding ? "Trial ends on" : "Trial until";
  if (isGiven) return "Given until";
  return isEnding ? "Ends on" : "Renews on";
}

/** What is wrong with it, and what helps. */
function troubleOf({ status, hasAccess, isOwner, isEnding }: Subscription): string | null {
  if (hasAccess)
    return isEnding
      ? "It was cancelled and is not renewed. The owner can take that back under “Change plan or card”."
      : null;
  if (status === "past_due" || status === "unpaid")
    return isOwner
      ? "The last payment did not succeed, so the practice is closed but for this page. Nothing is deleted. Choose “Change plan or card”, pay what is open, and everything opens by itself."
      : "The last payment did not succeed, so the practice is closed but for this page. Nothing is deleted. Ask its owner to pay what is open.";
  if (status === "incomplete" || status === "incomplete_expired")
    return "The first payment did not succeed. Start the subscription again with another card.";
  if (status === "paused") return "It is paused. The owner can go on with it under “Change plan or card”.";
  return null;
}

function billingWords(billing: Subscription["billing"], isGiven: boolean): string {
  if (billing === "self_hosted") return "This installation is your own: nothing is charged";
  return isGiven ? "Without charge" : "By card";
}

function YourPlan({ subscription }: { subscription: Subscription }) {
  const formats = useFormats();
  const { plan, status, currentPeriodEnd, billing, hasAccess, isOwner, isGiven, price } = subscription;
  const statusName = status === null ? "None" : (STATUS_NAMES.get(status) ?? status);
  const renewal = currentPeriodEnd ? [{ label: endName(subscription), value: formats.day(currentPeriodEnd) }] : [];
  const trouble = troubleOf(subscription);
  return (
    <Section title="Your plan" action={<Chip tone={hasAccess ? "agreed" : "outline"}>{statusName}</Chip>}>
      <p className="subscription-plan">
        {plan ? PLAN_NAMES[plan] : "No plan"}
        {price && `, ${price.interval === "year" ? "yearly" : "monthly"}`}
        {price && (
          <span className="subscription-price">
            {moneyText(price.amountMinor, price.currency)} a {price.interval} and VAT
          </span>
        )}
      </p>
      {trouble && (
        <p className="subscription-note" role="status">
          {trouble}
        </p>
      )}
      <Facts
        labelWidth={128}
        facts={[
          {
            label: "Billing",
            value: billingWords(billing, isGiven),
          },
          ...renewal,
        ]}
      />
      {billing === "stripe" && isOwner && <PortalButton />}
    </Section>
  );
}

function PortalButton() {
  const portal = api.subscriptions.openPortal.useMutation({
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => notifyError(messageOf(error)),
  });
  return (
    <Group mt="md">
      <Button variant="default" loading={portal.isPending} onClick={() => portal.mutate()}>
        Change plan or card
      </Button>
    </Group>
  );
}

function AboutBilling({ subscription }: { subscription: Subscription }) {
  const { billing, isOwner } = subscription;
  return (
    <Section title="How this works">
      <p className="subscription-note">
        {billing === "self_hosted"
          ? "No card payment provider is set up on this installation, so the practice has the pro plan without charge and without an end."
          : "The plan belongs to the practice: everybody in it works under the owner’s subscription. Losing it closes everything but this page; nothing is deleted."}
      </p>
      {!isOwner && <p className="subscription-note">Only the owner of the practice can change the subscription.</p>}
    </Section>
  );
}
