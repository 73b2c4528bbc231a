/** The fallback service takes nothing from a page that a program drives, so the server is told of one. */
export const headlessHeader = (): Record<string, string> => (navigator.webdriver ? { "x-webdriver": "true" } : {});
