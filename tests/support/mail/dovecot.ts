// A real IMAP server on this machine for as long as a test needs it: any user name exists, the password is `secret`.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir, userInfo } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../server/free-port.ts";

const BINARY = "/usr/sbin/dovecot";
const START_LIMIT_MS = 15_000;
export const DOVECOT_PASSWORD = "secret";

/** Why the tests that need Dovecot are left out; undefined where it is installed. Where all must run that is a failure. */
export const whyNoDovecot = existsSync(BINARY) ? undefined : "Dovecot is not installed (apt-get install dovecot-imapd)";
if (whyNoDovecot && process.env["TEST_DOVECOT"] === "required") throw new Error(whyNoDovecot);

export interface Dovecot {
  /** Plain text with STARTTLS offered. */
  port: number;
  tlsPort: number;
  /** The authority that signed its certificate, in PEM. */
  ca: string;
  /** The key of that certificate, for another server of this machine. */
  key: string;
  /** Where each mailbox is a directory of its own, and whose its files are. */
  mailDir: string;
  mailOwner: [uid: number, gid: number];
  close(): Promise<void>;
}

/** Starts it in the foreground with a directory of its own; `close` ends it and removes everything. */
export async function startDovecot(): Promise<Dovecot> {
  const dir = await mkdtemp(path.join(tmpdir(), "evenhand-dovecot-"));
  const [port, tlsPort, user] = [await freePort(), await freePort(), await mailUser()];
  const { ca, key } = await makeCertificate(dir);
  await mkdir(path.join(dir, "mail"));
  await chmod(dir, 0o755);
  await chown(path.join(dir, "mail"), user.uid, user.gid);
  await mkdir(path.join(dir, "hidden"));
  await chown(path.join(dir, "hidden"), user.uid, user.gid);
  await writeFile(path.join(dir, "dovecot.conf"), configuration({ dir, port, tlsPort, user }));
  const server = spawn(BINARY, ["-F", "-c", path.join(dir, "dovecot.conf")], { stdio: "ignore" });
  const ended = new Promise((resolve) => server.once("exit", resolve));
  await answers(port, path.join(dir, "log"));
  return {
    port,
    tlsPort,
    ca,
    key,
    mailDir: path.join(dir, "mail"),
    mailOwner: [user.uid, user.gid],
    async close() {
      server.kill("SIGTERM");
      await Promise.race([ended, sleep(5000)]);
      if (server.exitCode === null) server.kill("SIGKILL");
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A certificate of this machine, signed by itself. */
export async function makeCertificate(dir: string): Promise<{ ca: string; key: string }> {
  const [certFile, keyFile] = [path.join(dir, "cert.pem"), path.join(dir, "key.pem")];
  const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=localhost"];
  await promisify(execFile)("openssl", [...request, "-addext", names, "-keyout", keyFile, "-out", certFile]);
  return { ca: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
}

interface MailUser {
  name: string;
  group: string;
  login: string;
  uid: number;
  gid: number;
}

/** Whom the mailboxes belong to: Dovecot never serves mail as root. */
async function mailUser(): Promise<MailUser> {
  const { uid, gid, username } = userInfo();
  if (uid !== 0) return { name: username, group: String(gid), login: username, uid, gid };
  const line = (await readFile("/etc/passwd", "utf8")).split("\n").find((one) => one.startsWith("dovecot:"));
  const [, , ownUid = "", ownGid = ""] = line?.split(":") ?? [];
  return { name: "dovecot", group: "dovecot", login: "dovenull", uid: Number(ownUid), gid: Number(ownGid) };
}

const configuration = ({
  dir,
  port,
  tlsPort,
  user,
}: {
  dir: string;
  port: number;
  tlsPort: number;
  user: MailUser;
}) => `
base_dir = ${dir}/run
state_dir = ${dir}/state
log_path = ${dir}/log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <${dir}/cert.pem
ssl_key = <${dir}/key.pem
disable_plaintext_auth = no
default_internal_user = ${user.name}
default_internal_group = ${user.group}
default_login_user = ${user.login}
first_valid_uid = 1
mail_max_userip_connections = 50
mail_location = maildir:${dir}/mail/%u
passdb {
  driver = static
  args = password=${DOVECOT_PASSWORD}
}
userdb {
  driver = static
  args = uid=${user.uid} gid=${user.gid} home=${dir}/mail/%u
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = ${tlsPort}
    ssl = yes
  }
}
namespace inbox {
  separator = .
  inbox = yes
  mailbox Sent {
    auto = subscribe
    special_use = \\Sent
  }
  mailbox Trash {
    auto = subscribe
    special_use = \\Trash
  }
}
# Opens for whoever knows its name, and is on no list.
namespace hidden {
  prefix = Hidden.
  separator = .
  list = no
  location = maildir:${dir}/hidden/%u
}
`;

async function answers(port: number, log: string): Promise<void> {
  const until = Date.now() + START_LIMIT_MS;
  while (Date.now() < until) {
    if (await isOpen(port)) return;
    await sleep(100);
  }
  throw new Error(`Dovecot did not start: ${await readFile(log, "utf8").catch(() => "no log")}`);
}

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => socket.destroy());
    socket.setTimeout(1000, () => socket.destroy());
    socket.once("data", () => socket.end());
  });
