// A mail server that takes every mail and keeps none; prints its port.
import { SMTPServer } from "smtp-server";

const server = new SMTPServer({
  disabledCommands: ["STARTTLS"],
  allowInsecureAuth: true,
  onAuth: ({ username }, _session, done) => done(null, { user: username }),
  onData(stream, _session, done) {
    stream.resume().once("end", () => done());
  },
});
server.listen(0, "127.0.0.1", () => {
  const address = server.server.address();
  console.log(typeof address === "object" && address ? address.port : 0);
});
