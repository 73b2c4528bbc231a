import { questionsOf, toolFor } from "@app/shared/screening-tools";
import { QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { ScreeningDialog } from "../../web/src/features/screenings/screening-dialog.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

/** The dialog over a server that takes whatever it is sent. */
function openDialog(
  heldLastOn: string | null = null,
  elsewhere: Parameters<typeof ScreeningDialog>[0]["elsewhere"] = [],
) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (url: string, { body }: { body?: string } = {}) => {
    if (body) sent.push(JSON.parse(body));
    if (url.includes("submissions.safetyAnswers"))
      return new Response(JSON.stringify({ result: { data: { items: [], total: 0 } } }));
    return new Response(JSON.stringify({ result: { data: {} } }));
  });
  rememberSession(STATUS);
  const onClose = vi.fn();
  const party = { partyId: "p1", clientId: "c1", label: "P1", name: "Priya Nandakumar" };
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <ScreeningDialog
          theCase={{ id: "c1", domain: "community" }}
          party={party}
          heldLastOn={heldLastOn}
          elsewhere={elsewhere}
          onClose={onClose}
        />
      </QueryClientProvider>
    </api.Provider>,
  );
  return { sent, onClose };
}

/** Found by text: to ask for roles among a hundred radios takes seconds each time. */
function radioOf(question: string, answer: string): Element {
  const group = screen.getByText(question).closest(".choice-field");
  const radio = [...(group?.querySelectorAll("label") ?? [])].find((label) => label.textContent === answer)?.control;
  if (!radio) throw new Error(`“${question}” has no answer “${answer}”`);
  return radio;
}
const choose = (question: string, answer: string) => fireEvent.click(radioOf(question, answer));
const write = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
const COMPANY = "Who was with them";
const complete = () => fireEvent.click(screen.getByText("Complete the screening"));

test("a screening: when it is opened nothing is chosen, and until everything is answered nothing is sent", async () => {
  const { sent, onClose } = openDialog();
  const questions = questionsOf(toolFor("community"));
  const second = questions.find(({ id }) => id === "police");
  if (!second) throw new Error("it is not asked");
  expect(document.querySelectorAll(":checked")).toHaveLength(0);
  complete();
  expect(screen.getAllByText("Choose an answer")).toHaveLength(questions.length);
  for (const missing of [
    "Enter a date as day, month and year",
    "Choose how you spoke",
    "Say who was with them",
    "Choose what follows",
    "Say why",
    "Say whether somebody was consulted",
  ])
    screen.getByText(missing);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Day you spoke")));
  write("Day you spoke", "2026-01-05");
  choose("How you spoke", "By phone");
  choose(COMPANY, "Somebody else");

  screen.getByText(`0 of ${questions.length} questions answered`);
  for (const { text } of questions) choose(text, "No");
  screen.getByText(`${questions.length} of ${questions.length} questions answered`);
  choose(second.text, "Not sure");
  choose("Was a scored tool used as well, such as DASH or MASIC?", "No");
  choose("Was your professional practice consultant, or somebody else, consulted?", "No");
  choose("Mediation is", "Suitable with measures");
  fireEvent.click(screen.getByLabelText("Shuttle"));
  write("Reasons", "Safe apart");
  complete();
  screen.getByText("Write what was said");
  screen.getByText("Say why nobody was consulted");
  screen.getByText("Say in a sentence why that is safe all the same");
  screen.getByText(/^Nobody can be found suitable yet\. Somebody else was with them/);
  expect(sent).toEqual([]);

  write(`What was said: ${second.text}`, "Their mother may come home");
  write("Why nobody was", "Nothing to ask about");
  write("Why it is safe all the same: the police", "It was about somebody else");
  choose(COMPANY, "A supporter of their own choice, an intermediary or a litigation friend");
  complete();
  screen.getByText("Say who it was, and in which role");
  expect(sent).toEqual([]);
  write("Who that was, and in which role", "Orla Finch, her advocate");
  write("Why it is safe to speak in front of them", "She asked for her, and trusts her");
  fireEvent.click(screen.getByLabelText("They have nothing to do with the other participants"));
  complete();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(sent).toEqual([
    expect.objectContaining({
      partyId: "p1",
      toolVersion: "2026-11-28-general",
      heldOn: "2026-01-05",
      channel: "phone",
      company: "supporter",
      supporter: {
        who: "Orla Finch, her advocate",
        whySafe: "She asked for her, and trusts her",
        isUnconnected: true,
      },
      suitable: "yes_with_measures",
      measures: ["shuttle"],
      answers: expect.objectContaining({
        [second.id]: {
          answer: "not_sure",
          words: "Their mother may come home",
          safeBecause: "It was about somebody else",
        },
      }),
    }),
  ]);
}, 180_000);

test("a screening: with a day before the last one, says that the last one goes on counting", () => {
  openDialog("2026-01-05");
  write("Day you spoke", "2026-01-05");
  expect(screen.queryByText(/screened later/)).toBeNull();
  write("Day you spoke", "2026-01-04");
  screen.getByText(/was screened later than that, on 5\sJan\s2026/);
  choose("Mediation is", "Not safe to mediate");
  expect(screen.queryByText(/No joint meeting/)).toBeNull();
}, 180_000);

test("a screening: where it is not safe to talk or something was left out, says at once what to do", () => {
  openDialog();
  const [talking, ...others] = questionsOf(toolFor("community"));
  const weapons = others.find(({ id }) => id === "weapons");
  if (!talking || !weapons) throw new Error("it is not asked");
  choose(weapons.text, "Not asked");
  screen.getByText("You have not asked about weapons.");
  choose(talking.text, "Not sure");
  expect(screen.getAllByText(/hold the screening again/)).toHaveLength(2);
}, 180_000);

test("a screening: with a risk told and neither measures nor a consultation, asks why at fields that stand there for it alone", () => {
  openDialog();
  const police = questionsOf(toolFor("community")).find(({ id }) => id === "police");
  if (!police) throw new Error("it is not asked");
  const neither = () => screen.queryByLabelText("Why neither measures nor a consultation");
  const why = () => screen.queryByLabelText("Why it is safe all the same: the police");
  choose("Mediation is", "Suitable");
  expect([neither(), why()]).toEqual([null, null]);
  choose(police.text, "Yes");
  expect(neither()).toHaveProperty("value", "");
  expect(why()).toHaveProperty("value", "");
  choose("Mediation is", "Suitable with measures");
  expect(neither()).toBeNull();
  choose("Mediation is", "Not safe to mediate");
  expect(why()).toBeNull();
}, 180_000);

test("a screening: of somebody found not safe elsewhere, asks to look at that, which nothing ticks, unless they are not safe here", () => {
  openDialog(null, [{ screeningId: "s1", words: "P1 was found not safe to mediate on 5 January 2026 in case QM-1." }]);
  screen.getByText("P1 was found not safe to mediate on 5 January 2026 in case QM-1.");
  expect(screen.getByLabelText("I have looked at this")).toHaveProperty("checked", false);
  choose("Mediation is", "Suitable");
  complete();
  screen.getByText("Confirm that you looked at this");
  fireEvent.click(screen.getByLabelText("I have looked at this"));
  expect(screen.queryByText("Confirm that you looked at this")).toBeNull();
  fireEvent.click(screen.getByLabelText("I have looked at this"));
  choose("Mediation is", "Not safe to mediate");
  complete();
  expect(screen.queryByText("Confirm that you looked at this")).toBeNull();
}, 180_000);
