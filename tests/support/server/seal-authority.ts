// An issuer of certificates and time stamps of our own, made by openssl: what it gives is what practices get from theirs.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";

interface Wanted {
  name?: string;
  days?: number;
  usage?: string;
  purposes?: string;
  /** "rsa", or the name of an elliptic curve. */
  kind?: string;
}

interface WantedPfx extends Wanted {
  password?: string;
  /** More of what `openssl pkcs12` is told. */
  options?: string[];
}

const SETTINGS = {
  "req.cnf":
    "[req]\ndistinguished_name=dn\n[dn]\n[v3_ca]\nbasicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign\n",
  "tsa.cnf":
    "[tsa]\ndefault_tsa=t\n[t]\nserial=serial\nsigner_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256\nordering=no\ntsa_name=no\ness_cert_id_alg=sha256\n",
};

/** A folder with what openssl makes in it. */
function opensslFolder() {
  const dir = mkdtempSync(path.join(tmpdir(), "evenhand-issuer-"));
  const at = (file: string) => path.join(dir, file);
  const write = (file: string, content: string | Uint8Array) => writeFileSync(at(file), content);
  for (const [file, content] of Object.entries(SETTINGS)) write(file, content);
  return {
    write,
    read: (file: string): Buffer => readFileSync(at(file)),
    openssl: (...given: string[]): string =>
      execFileSync("openssl", given, { cwd: dir, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

type Folder = ReturnType<typeof opensslFolder>;

const newKey = (file: string, kind = "rsa"): string[] => [
  "-newkey",
  ...(kind === "rsa" ? ["rsa:2048"] : ["ec", "-pkeyopt", `ec_paramgen_curve:${kind}`]),
  "-nodes",
  "-keyout",
  `${file}.key`,
  "-config",
  "req.cnf",
];

function certify({ write, openssl }: Folder, file: string, wanted: Wanted): void {
  const { name = "Quillfeather Mediation", days = 365, usage = "digitalSignature,nonRepudiation" } = wanted;
  const { purposes = "", kind = "rsa" } = wanted;
  const extensions = [
    "basicConstraints=CA:FALSE",
    `keyUsage=critical,${usage}`,
    purposes && `extendedKeyUsage=${purposes}`,
  ];
  write(`${file}.ext`, extensions.filter(Boolean).join("\n"));
  openssl("req", "-new", ...newKey(file, kind), "-out", `${file}.csr`, "-subj", `/O=Quillfeather/CN=${name}`);
  const by = ["-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", "-extfile", `${file}.ext`];
  openssl("x509", "-req", "-in", `${file}.csr`, "-out", `${file}.pem`, "-days", String(days), ...by);
}

export type Stamping = "stamps" | "fails" | "says nothing" | "lies";

/** Answers time-stamp queries (RFC 3161). */
function stampingServer(folder: Folder, how: Stamping): Server {
  const answerTo = (query: Buffer): Buffer => {
    const asked = Buffer.from(query);
    // A stamp of something else than was asked.
    if (how === "lies") asked[30] = (asked[30] ?? 0) ^ 1;
    folder.write("query", asked);
    const by = ["-signer", "tsa.pem", "-inkey", "tsa.key", "-chain", "root.pem", "-config", "tsa.cnf"];
    folder.openssl("ts", "-reply", "-queryfile", "query", ...by, "-out", "reply");
    return folder.read("reply");
  };
  return createServer((request, response) => {
    void buffer(request).then((query) => {
      if (how === "says nothing") return;
      if (how === "fails") response.writeHead(500).end();
      else response.writeHead(200, { "content-type": "application/timestamp-reply" }).end(answerTo(query));
    });
  });
}

export function sealAuthority() {
  const folder = opensslFolder();
  const { openssl, read, write } = folder;
  const servers: Server[] = [];
  const root = ["-subj", "/O=Trusted Seals/CN=Trusted Seals Root", "-days", "3650", "-extensions", "v3_ca"];
  openssl("req", "-x509", ...newKey("root"), "-out", "root.pem", ...root);
  return {
    /** A certificate with its key as a practice gets it; the password opens it. */
    pfx({ password = "right words", options = [], ...wanted }: WantedPfx = {}): Buffer {
      certify(folder, "own", wanted);
      const parts = ["-inkey", "own.key", "-in", "own.pem", "-certfile", "root.pem"];
      openssl("pkcs12", "-export", ...parts, "-out", "own.p12", "-passout", `pass:${password}`, ...options);
      return read("own.p12");
    },
    /** A certificate alone. */
    pfxWithoutKey(password = "right words"): Buffer {
      openssl("pkcs12", "-export", "-nokeys", "-in", "root.pem", "-out", "bare.p12", "-passout", `pass:${password}`);
      return read("bare.p12");
    },
    /** Gives the address of a server of time stamps on this machine. */
    async stamping(how: Stamping = "stamps"): Promise<string> {
      certify(folder, "tsa", { name: "Trusted Clock", usage: "digitalSignature", purposes: "critical,timeStamping" });
      write("serial", "01\n");
      const server = stampingServer(folder, how);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      return `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/tsr`;
    },
    /** What openssl says of a token over these bytes. */
    verifyStamp(token: Uint8Array, over: Uint8Array): string {
      write("token", token);
      write("stamped", over);
      return openssl("ts", "-verify", "-in", "token", "-token_in", "-data", "stamped", "-CAfile", "root.pem");
    },
    close(): void {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
      folder.remove();
    },
  };
}
