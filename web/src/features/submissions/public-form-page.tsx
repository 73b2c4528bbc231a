import type { FormPlace, OpenedForm } from "@app/shared/submissions";
import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
import { apiClient } from "../../core/api-client.ts";
import { codeOf, messageOf } from "../../core/errors.ts";
import { DeadLink } from "../shell/dead-link.tsx";
import { forgetDraft, rememberedDraft, takeOnTheWay } from "./draft-memory.ts";
import { FormFrame } from "./form-frame.tsx";
import { Thanks } from "./thanks.tsx";

// The questions come while the server is asked for them.
const fillInPage = () => import("./fill-in.tsx");
type FillInPage = Awaited<ReturnType<typeof fillInPage>>["FillIn"];

type State =
  | { is: "loading" }
  | { is: "dead" }
  | { is: "failed"; why: string }
  | { is: "open"; opened: OpenedForm; place: FormPlace; FillIn: FillInPage };

const ask = (place: FormPlace) => apiClient.submissions.filling.open.mutate(place);

/** What the page before sent as it went may arrive after this one asks. */
const WAITS_MS = [150, 250, 400, 600, 800, 1000] as const;

async function open(place: FormPlace, awaited: number): Promise<OpenedForm> {
  let opened = await ask(place);
  for (const ms of WAITS_MS) {
    if (opened.revision >= awaited || opened.isSent) break;
    await new Promise((resolve) => setTimeout(resolve, ms));
    opened = await ask(place);
  }
  return opened;
}

/** By what this tab remembers first, so that a reload loses nothing. */
async function openAnyhow({ formId, userId }: FormPlace): Promise<{ opened: OpenedForm; place: FormPlace }> {
  const resumeId = rememberedDraft(formId);
  const awaited = takeOnTheWay(formId);
  if (resumeId !== null && resumeId !== userId)
    try {
      const place = { formId, userId: resumeId };
      const opened = await open(place, awaited);
      if (!opened.isSent) return { opened, place };
      forgetDraft(formId);
    } catch (error) {
      if (codeOf(error) !== "NOT_FOUND") throw error;
      forgetDraft(formId);
    }
  const opened = await open({ formId, userId }, resumeId === null || resumeId === userId ? awaited : 0);
  return { opened, place: { formId, userId } };
}

async function stateOf(place: FormPlace): Promise<State> {
  try {
    const [opened, { FillIn }] = await Promise.all([openAnyhow(place), fillInPage()]);
    return { is: "open", ...opened, FillIn };
  } catch (error) {
    const isDead = codeOf(error) === "NOT_FOUND" || codeOf(error) === "BAD_REQUEST";
    return isDead ? { is: "dead" } : { is: "failed", why: messageOf(error) };
  }
}

/** A form as whoever was sent its address fills it in. */
export function PublicFormPage({ formId, userId }: FormPlace) {
  const [state, setState] = useState<State>({ is: "loading" });
  useEffect(() => {
    let isHere = true;
    void stateOf({ formId, userId }).then((next) => isHere && setState(next));
    return () => void (isHere = false);
  }, [formId, userId]);
  const tryAgain = () => {
    setState({ is: "loading" });
    void stateOf({ formId, userId }).then(setState);
  };

  if (state.is === "dead") return <DeadLink />;
  if (state.is === "loading")
    return (
      <FormFrame practiceName="" done={null}>
        <p className="plain-text" role="status">
          One moment…
        </p>
      </FormFrame>
    );
  if (state.is === "failed")
    return (
      <FormFrame practiceName="" done={null}>
        <h1 className="plain-title">The questions could not be loaded</h1>
        <p className="plain-text">{state.why}</p>
        <Button size="lg" fullWidth onClick={tryAgain}>
          Try again
        </Button>
      </FormFrame>
    );
  const { opened, place, FillIn } = state;
  if (opened.isClosed && !opened.isSent)
    return (
      <FormFrame practiceName={opened.practiceName} done={null}>
        <h1 className="plain-title">Nothing can be sent now</h1>
        <p className="plain-text">
          This page takes no answers at the moment. Please phone us, or write to us, and we will help you.
        </p>
      </FormFrame>
    );
  if (opened.needsOwnLink && !opened.isSent) return <NeedsOwnLink opened={opened} />;
  return opened.isSent ? (
    <Thanks opened={opened} isBefore />
  ) : (
    <FillIn key={place.userId} opened={opened} place={place} />
  );
}

const NeedsOwnLink = ({ opened: { practiceName, emergencyNumber } }: { opened: OpenedForm }) => (
  <FormFrame practiceName={practiceName} done={null}>
    <h1 className="plain-title">Please talk to us first</h1>
    <p className="plain-text">
      These questions are about your safety. By this page we could not tell who you are, and could not help you. Please
      phone {practiceName}, or write to us, in a way that is safe for you. We will then send you a link of your own.
    </p>
    <p className="plain-text">
      If you are in danger now, {emergencyNumber ? `call ${emergencyNumber}` : "call the emergency services"}.
    </p>
  </FormFrame>
);
