import { createServer } from "node:http";

export const AURINKO_CODE = "code-of-the-tests";

/** The service between the product and providers, on a free port of this machine. */
export async function startFakeAurinko() {
  const requests: { method: string; path: string; authorization: string }[] = [];
  const state = {
    isDown: false,
    isDead: false,
    account: {
      id: 41,
      email: "ines@quillfeather.example.org",
      serviceType: "Google",
      authScopes: ["Mail.Read", "Mail.Send"],
    },
  };
  let tokens = 0;
  const server = createServer((req, res) => {
    const { authorization = "" } = req.headers;
    requests.push({ method: req.method ?? "", path: req.url ?? "", authorization });
    const [status, body] = answer(`${req.method} ${req.url}`, authorization);
    res.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });

  function answer(call: string, authorization: string): [number, object] {
    if (state.isDown) return [503, { code: "unavailable", message: "Service unavailable" }];
    if (call.startsWith("POST /v1/auth/token/")) {
      const isRight = call.endsWith(`/${AURINKO_CODE}`) && authorization.startsWith("Basic ");
      if (!isRight) return [401, { code: "unauthorized", message: "Not authorized" }];
      return [200, { accountId: state.account.id, accessToken: `token-${++tokens}`, userId: "u", userSession: "s" }];
    }
    if (state.isDead || !authorization.startsWith("Bearer token-"))
      return [401, { code: "token.dead", message: "Not authorized" }];
    return call === "GET /v1/account" ? [200, { ...state.account, name: "Ines", tokenStatus: "active" }] : [200, {}];
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return {
    url,
    state,
    requests,
    environment: { AURINKO_API_URL: url, AURINKO_CLIENT_ID: "client-id", AURINKO_CLIENT_SECRET: "client-secret" },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
