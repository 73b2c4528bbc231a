declare module "hoodiecrow-imap" {
  interface Server {
    listen(port: number, done: () => void): void;
    close(done: () => void): void;
  }
  export default function hoodiecrow(options: object): Server;
}
