import { TextInput } from "@mantine/core";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { Form, useServerForm } from "../../web/src/core/form.tsx";
import { draw } from "./page.tsx";

interface Answers {
  name: string;
  address: { lines: string[] };
}

function Sheet({ submit }: { submit: (values: Answers, id: string) => Promise<void> }) {
  const form = useServerForm<Answers>({ initialValues: { name: "", address: { lines: [""] } }, submit });
  return (
    <Form form={form}>
      <TextInput label="Name" {...form.field("name")} />
      <TextInput label="Street" {...form.field("address.lines.0")} />
      <button type="submit">Save</button>
      <output>{form.isDirty() ? "changed" : "as saved"}</output>
    </Form>
  );
}

const refusal = (fieldErrors: Record<string, string>) =>
  Object.assign(new Error("Check the marked fields."), { data: { code: "BAD_REQUEST", fieldErrors } });

test("a form: what the server finds, when it refuses, stands beside the fields and the first bad one has the cursor", async () => {
  const submit = vi.fn(() => Promise.reject(refusal({ "address.lines.0": "Enter a street" })));
  draw(<Sheet submit={submit} />);
  await userEvent.type(screen.getByLabelText("Name"), "Maya");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Enter a street");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Street")));
  expect(screen.getByLabelText("Name")).toHaveProperty("value", "Maya");
  expect(submit).toHaveBeenCalledWith({ name: "Maya", address: { lines: [""] } }, expect.any(String));
});

test("a form: the message at a field, when the field is changed, goes away", async () => {
  draw(<Sheet submit={() => Promise.reject(refusal({ name: "Enter a name" }))} />);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await screen.findByText("Enter a name");
  await userEvent.type(screen.getByLabelText("Name"), "M");
  expect(screen.queryByText("Enter a name")).toBeNull();
});

test("a form: a failure that belongs to no field, when it comes, stands on top as an alert", async () => {
  draw(<Sheet submit={() => Promise.reject(refusal({ token: "This link is not complete" }))} />);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findByRole("alert")).textContent).toContain("This link is not complete");
});

test.each([
  ["that belongs to no field", refusal({})],
  ["of which no field can take the cursor", refusal({ place: "Choose a place" })],
])("a form: what is refused %s, when somebody has scrolled past it, comes into sight", async (_what, refused) => {
  const shown = vi.spyOn(HTMLElement.prototype, "scrollIntoView");
  draw(<Sheet submit={() => Promise.reject(refused)} />);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  const alert = await screen.findByRole("alert");
  await waitFor(() => expect(shown.mock.contexts).toEqual([alert]));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(shown).toHaveBeenCalledTimes(2));
});

test("a form: what the server finds under a name of its own, when a field shows it, stands there alone", async () => {
  function Booking() {
    const form = useServerForm({
      initialValues: { when: "" },
      submit: () => Promise.reject(refusal({ startsAt: "This is in the past", endsAt: "This ends too late" })),
    });
    return (
      <Form form={form}>
        <TextInput label="From" error={form.errors["startsAt"]} />
        <button type="submit">Save</button>
      </Form>
    );
  }
  draw(<Booking />);
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findByRole("alert")).textContent).toContain("This ends too late");
  expect(screen.getAllByText("This is in the past")).toHaveLength(1);
  expect(document.activeElement).toBe(screen.getByLabelText("From"));
});

test("a form: without an answer, when it is sent, says that nothing was saved and keeps what was typed", async () => {
  draw(<Sheet submit={() => Promise.reject(new TypeError("fetch failed"))} />);
  await userEvent.type(screen.getByLabelText("Street"), "4 Tern Row");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect((await screen.findByRole("alert")).textContent).toMatch(/nothing was saved/);
  expect(screen.getByLabelText("Street")).toHaveProperty("value", "4 Tern Row");
});

test("a form: a second Enter, while the first is under way, sends nothing", async () => {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const submit = vi.fn(() => promise);
  draw(<Sheet submit={submit} />);
  await userEvent.type(screen.getByLabelText("Name"), "Maya{Enter}{Enter}");
  expect(submit).toHaveBeenCalledTimes(1);
  finish();
});

test("a form: a nested value, when it is typed and typed back, is changed and then as saved", async () => {
  draw(<Sheet submit={() => Promise.resolve()} />);
  await userEvent.type(screen.getByLabelText("Street"), "x");
  expect(screen.getByRole("status").textContent).toBe("changed");
  await userEvent.clear(screen.getByLabelText("Street"));
  expect(screen.getByRole("status").textContent).toBe("as saved");
});

test("a form: the id of what it makes, when the answer is lost, is the same at the next try, and another one once it was made", async () => {
  const ids: string[] = [];
  const submit = vi.fn((_values: Answers, id: string) => {
    ids.push(id);
    return ids.length === 1 ? Promise.reject(new TypeError("fetch failed")) : Promise.resolve();
  });
  draw(<Sheet submit={submit} />);
  for (let press = 1; press <= 3; press += 1) {
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    await waitFor(() => expect(ids).toHaveLength(press));
  }
  const [first, second, third] = ids;
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});
