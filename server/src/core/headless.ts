import type { Request } from "express";

/** Whether a program drives the page that asks: such a browser says so of itself, and our page passes on that it does. */
export const isHeadless = ({ headers }: Request): boolean =>
  headers["x-webdriver"] === "true" || /headless/i.test(headers["user-agent"] ?? "");
