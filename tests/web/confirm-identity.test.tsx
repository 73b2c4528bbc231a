import { Button, TextInput } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { api, cachingClient, queryClient } from "../../web/src/core/api.ts";
import { downloadOf } from "../../web/src/core/download.ts";
import { codeOf } from "../../web/src/core/errors.ts";
import { Form, useServerForm } from "../../web/src/core/form.tsx";
import { makeId } from "../../web/src/core/new-id.ts";
import { rememberSession } from "../../web/src/core/session-state.ts";
import { Notices } from "../../web/src/features/shell/notices.tsx";
import { IdentityQuestion } from "../../web/src/features/auth/identity-question.tsx";
import { Dialog } from "../../web/src/ui/dialog.tsx";
import { draw } from "./page.tsx";
import { STATUS } from "./signed-in.ts";

const PASSWORD = "quiet harbour lantern moss";
const REFUSED = "Nothing was changed. Confirm with your password that it is you, then do this again.";
const user = userEvent.setup();

/** The server: every change asks until the right password, with the code where there is one, was given. */
let server: { isConfirmed: boolean; code: string | null; calls: { path: string; input: unknown }[] };

const answer = (result: unknown, status = 200) => new Response(JSON.stringify(result), { status });
const failure = (data: object, message = "No.") => answer({ error: { message, code: -32000, data } }, 400);
const badField = (field: string, message: string) =>
  failure({ code: "BAD_REQUEST", fieldErrors: { [field]: message } }, message);

function confirm(input: { password?: string; code?: string }) {
  if (server.code !== null && input.code === undefined) return badField("code", "Enter the six digits");
  if (input.password !== PASSWORD) return badField("password", "The password is not right.");
  if (server.code !== null && input.code !== server.code) return badField("code", "This code is not right.");
  server.isConfirmed = true;
  return answer({ result: { data: {} } });
}

function status(isTwoFactorOn: boolean) {
  return { ...STATUS, user: { ...STATUS.user, isTwoFactorOn } };
}

function reply(path: string, input: object): Response {
  if (path === "auth.confirmIdentity") return confirm(input);
  if (path === "auth.status") return answer({ result: { data: status(server.code !== null) } });
  if (!server.isConfirmed) return failure({ code: "REAUTH_REQUIRED" }, REFUSED);
  return answer({ result: { data: { isMailSent: true, triedUntil: null, link: null } } });
}

beforeEach(() => {
  server = { isConfirmed: false, code: null, calls: [] };
  vi.stubGlobal("fetch", async (url: string, { body }: { body?: string } = {}) => {
    const path = String(url).split("/trpc/")[1]?.split("?")[0] ?? "";
    const input: object = JSON.parse(body ?? "null");
    server.calls.push({ path, input });
    return reply(path, input);
  });
  rememberSession(status(false));
});

const callsOf = (path: string) => server.calls.filter((made) => made.path === path).map(({ input }) => input);

function Invitation() {
  const [isOpen, setIsOpen] = useState(true);
  const invite = api.staff.invite.useMutation();
  const form = useServerForm({
    initialValues: { email: "", firstName: "Tom", lastName: "Birch", role: 3 as const },
    submit: async (values, id) => {
      await invite.mutateAsync({ id, ...values });
      setIsOpen(false);
    },
  });
  return (
    <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Invite a person">
      <Form form={form}>
        <TextInput label="Email address" {...form.field("email")} />
        <button type="submit" disabled={form.isSaving}>
          Send invitation
        </button>
      </Form>
    </Dialog>
  );
}

function drawPage() {
  return draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <IdentityQuestion />
        <Invitation />
      </QueryClientProvider>
    </api.Provider>,
  );
}

/** A form filled in and sent, up to the question. */
async function askedPage() {
  const drawn = drawPage();
  await user.type(screen.getByLabelText("Email address"), "tom@example.org");
  await user.click(screen.getByRole("button", { name: "Send invitation" }));
  const question = await screen.findByRole("dialog", { name: "Confirm that it is you" });
  const password = screen.getByLabelText("Password");
  await waitFor(() => expect(document.activeElement).toBe(password));
  return { drawn, question, password };
}

const isGone = () => waitFor(() => expect(screen.queryByText("Confirm that it is you")).toBeNull());

test("a change that asks first: it, when the password is entered, goes on by itself with what was typed", async () => {
  const { password, question } = await askedPage();
  expect(password.getAttribute("autocomplete")).toBe("current-password");
  expect(question.querySelector('[autocomplete="username"]')).toHaveProperty("value", STATUS.user.userEmail);
  expect(screen.queryByLabelText("Code")).toBeNull();
  await user.keyboard(`${PASSWORD}{Enter}`);
  await isGone();
  await waitFor(() => expect(screen.queryByText("Invite a person")).toBeNull());
  const input = { id: expect.any(String), email: "tom@example.org", firstName: "Tom", lastName: "Birch", role: 3 };
  const [first, second, ...more] = callsOf("staff.invite");
  expect([first, more]).toEqual([input, []]);
  expect(second).toEqual(first);
  expect(callsOf("auth.confirmIdentity")).toEqual([{ password: PASSWORD }]);
});

test.each([
  ["Escape is pressed", () => user.keyboard("{Escape}")],
  ["the person goes back", () => user.click(screen.getByRole("button", { name: "Go back" }))],
])("a change that asks first: the form behind, when %s, stays open as it was", async (_how, leave) => {
  await askedPage();
  await leave();
  await isGone();
  expect(screen.getByLabelText("Email address")).toHaveProperty("value", "tom@example.org");
  expect(screen.queryByRole("alert")).toBeNull();
  const send = screen.getByRole("button", { name: "Send invitation" });
  await waitFor(() => expect(document.activeElement).toBe(send));
  expect(callsOf("staff.invite")).toHaveLength(1);
  await user.click(send);
  await screen.findByText("Confirm that it is you");
});

test("the question: a wrong password, when it is entered, is told beside the field, and the question stays", async () => {
  const { password } = await askedPage();
  await user.keyboard("wrong{Enter}");
  await screen.findByText("The password is not right.");
  expect(document.activeElement).toBe(password);
  expect(callsOf("staff.invite")).toHaveLength(1);
  await user.clear(password);
  await user.type(password, `${PASSWORD}{Enter}`);
  await isGone();
});

test("the question: somebody with a second factor, when asked, gives password and code", async () => {
  server.code = "123456";
  rememberSession(status(true));
  const { password } = await askedPage();
  const code = screen.getByLabelText("Code");
  expect(code.getAttribute("autocomplete")).toBe("one-time-code");
  await user.type(password, PASSWORD);
  await user.type(code, "123456{Enter}");
  await isGone();
  expect(callsOf("auth.confirmIdentity")).toEqual([{ password: PASSWORD, code: "123456" }]);
});

test("the question: a second factor of another window, when it is owed, gets its field and keeps the password", async () => {
  server.code = "123456";
  const { password } = await askedPage();
  await user.keyboard(`${PASSWORD}{Enter}`);
  const code = await screen.findByLabelText("Code");
  await waitFor(() => expect(document.activeElement).toBe(code));
  expect(password).toHaveProperty("value", PASSWORD);
  await user.type(code, "123456{Enter}");
  await isGone();
});

test("the question: two changes, when they wait at once, ask once and both go on", async () => {
  drawPage();
  const invite = () =>
    cachingClient.staff.invite.mutate({
      id: makeId(),
      email: "tom@example.org",
      firstName: "Tom",
      lastName: "Birch",
      role: 3,
    });
  const both = Promise.all([invite(), invite()]);
  await screen.findByText("Confirm that it is you");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Password")));
  await user.keyboard(`${PASSWORD}{Enter}`);
  expect(await both).toHaveLength(2);
  expect(callsOf("auth.confirmIdentity")).toHaveLength(1);
});

test("the question: the change that waits, when the person is signed out meanwhile, is refused", async () => {
  const { unmount } = drawPage();
  const refused = cachingClient.staff.invite
    .mutate({ id: makeId(), email: "tom@example.org", firstName: "Tom", lastName: "Birch", role: 3 })
    .catch((error: unknown) => error);
  await screen.findByText("Confirm that it is you");
  unmount();
  expect(codeOf(await refused)).toBe("REAUTH_REQUIRED");
});

/** The names of the files that are kept, as a browser would. */
function keptFiles(): string[] {
  const kept: string[] = [];
  vi.stubGlobal("URL", Object.assign(URL, { createObjectURL: () => "blob:x", revokeObjectURL: () => undefined }));
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    kept.push(this.download);
  });
  return kept;
}

const FULL_NAME = "attachment; filename=\"clients.csv\"; filename*=UTF-8''clients.csv";
const exported = (content: BodyInit, status = 200, disposition = FULL_NAME) => {
  const headers = { "content-disposition": disposition };
  vi.stubGlobal("fetch", async (url: string, { body }: { body?: string } = {}) =>
    url.startsWith("/export/")
      ? new Response(content, { status, headers })
      : reply(url.split("/trpc/")[1]?.split("?")[0] ?? "", JSON.parse(body ?? "null")),
  );
};

test("a download that asks first: it, when the password is entered, begins by itself, and does not when the question is left", async () => {
  const started = keptFiles();
  exported("a,b");
  draw(
    <api.Provider client={cachingClient} queryClient={queryClient}>
      <QueryClientProvider client={queryClient}>
        <IdentityQuestion />
        <Button {...downloadOf("/export/clients.csv")}>Export CSV</Button>
      </QueryClientProvider>
    </api.Provider>,
  );
  const link = screen.getByRole("link", { name: "Export CSV" });
  await user.click(link);
  await screen.findByRole("dialog", { name: "Confirm that it is you" });
  await user.keyboard("{Escape}");
  await isGone();
  expect(started).toEqual([]);
  await user.click(link);
  await user.type(await screen.findByLabelText("Password"), `${PASSWORD}{Enter}`);
  await waitFor(() => expect(started).toEqual(["clients.csv"]));
  await user.click(link);
  await waitFor(() => expect(started).toHaveLength(2));
});

test("a download: with a plain name alone, then it is kept under that", async () => {
  const kept = keptFiles();
  server.isConfirmed = true;
  exported("%PDF", 200, 'attachment; filename="client-record.pdf"');
  draw(<Button {...downloadOf("/export/clients/1.pdf")}>Record</Button>);
  await user.click(screen.getByRole("link", { name: "Record" }));
  await waitFor(() => expect(kept).toEqual(["client-record.pdf"]));
});

test("a download: where it is refused, or breaks off, then nothing is kept and the page says why", async () => {
  const kept = keptFiles();
  server.isConfirmed = true;
  draw(
    <>
      <Notices />
      <Button {...downloadOf("/export/clients/1.pdf")}>Record</Button>
    </>,
  );
  exported(JSON.stringify({ error: { message: "This record is too long. Choose “What each party sees”." } }), 422);
  await user.click(screen.getByRole("link", { name: "Record" }));
  expect(await screen.findByText("This record is too long. Choose “What each party sees”.")).toBeTruthy();
  exported(new ReadableStream({ start: (stream) => stream.error(new TypeError("network")) }));
  await user.click(screen.getByRole("link", { name: "Record" }));
  expect(await screen.findByText(/did not arrive whole/)).toBeTruthy();
  expect(kept).toEqual([]);
});
