const LOCAL_HOSTS = ["localhost", "127.0.0.1"];

/** Asks the server to treat this browser as subscribed to the pro plan; only one in development mode listens. */
export const isImpersonating = (): boolean =>
  LOCAL_HOSTS.includes(window.location.hostname) && window.localStorage.getItem("impersonation") === "true";
