import { afterEach, expect, test, vi } from "vitest";
import { headers } from "../../web/src/core/api-client.ts";
import { sendForm } from "../../web/src/core/send-form.ts";

const asked = vi.fn<typeof fetch>();
vi.stubGlobal("fetch", asked);
afterEach(() => asked.mockReset());

function aForm(): HTMLFormElement {
  document.body.innerHTML = `<form><input name="to_email" value="priya@example.org" /><textarea name="message">Hello</textarea></form>`;
  const form = document.querySelector("form");
  if (!form) throw new Error("there is no form");
  return form;
}

test.each([null, undefined, {}, "#form", new FormData(), document.createElement("div")])(
  "sendForm: %o is no form of the page, so no request is made",
  async (what) => {
    await expect(sendForm(what)).rejects.toThrow("Only a form of this page can be sent.");
    expect(asked).not.toHaveBeenCalled();
  },
);

test("sendForm: a form of the page is posted as its data", async () => {
  asked.mockResolvedValue(new Response("{}"));
  await sendForm(aForm());
  const [address, options] = asked.mock.calls[0] ?? [];
  expect(address).toBe("/functions/send-form");
  const body = options?.body;
  expect(body instanceof FormData ? Object.fromEntries(body) : null).toEqual({
    to_email: "priya@example.org",
    message: "Hello",
  });
});

test.each([
  ['{"error":"Too Many Requests"}', "Too Many Requests"],
  ["Bad gateway", "HTTP 502: Bad gateway"],
  ['{"message":"x"}', 'HTTP 502: {"message":"x"}'],
])("sendForm: a failure of %j is told as %j", async (text, says) => {
  asked.mockResolvedValue(new Response(text, { status: 502 }));
  await expect(sendForm(aForm())).rejects.toThrow(says);
});

test.each([
  [true, "true"],
  [false, null],
])("a page: where a program drives it is %j, its forms and its calls tell the server %j", async (webdriver, told) => {
  vi.stubGlobal("navigator", { webdriver });
  asked.mockResolvedValue(new Response("{}"));
  await sendForm(aForm());
  const sent = [asked.mock.calls[0]?.[1]?.headers, headers()];
  expect(sent.map((of) => new Headers(of).get("x-webdriver"))).toEqual([told, told]);
});
