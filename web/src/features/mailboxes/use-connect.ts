import type { ConnectedMailbox, FoundServers, MailProblem } from "@app/shared/mailboxes";
import { useState } from "react";
import { api } from "../../core/api.ts";
import { fieldErrorsOf, messageOf } from "../../core/errors.ts";
import { useServerForm } from "../../core/form.tsx";
import { notify } from "../../core/notify.ts";
import { useCurrentUser } from "../../core/session.ts";
import { type ConnectValues, fieldMessages, isOfServers, serversFor, valuesOf } from "./connect-values.ts";

const ADDRESS = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

type Servers = ConnectValues["servers"];

interface Options {
  connected: ConnectedMailbox | null;
  onDone: () => void;
}

/** Address and password in, servers looked up, and then either connected or told what to do. */
export function useConnect({ connected, onDone }: Options) {
  const user = useCurrentUser();
  const utils = api.useUtils();
  const connect = api.mailboxes.connect.useMutation();
  const lookUp = useLookUp(connected);
  const [isOpen, setIsOpen] = useState(false);
  const [problems, setProblems] = useState<readonly MailProblem[]>([]);
  const initialValues = valuesOf(connected, user.userEmail);
  // What stands in the server settings without anybody having typed it.
  const [filled, setFilled] = useState(initialValues.servers);

  const form = useServerForm<ConnectValues>({
    initialValues,
    validate: missing,
    submit: async (values) => {
      setProblems([]);
      const servers = await serversOf(values);
      const result = await connect.mutateAsync({ ...values, servers }).catch((error: unknown) => {
        if (Object.keys(fieldErrorsOf(error)).some(isOfServers)) setIsOpen(true);
        throw error;
      });
      if (result.problems.length > 0) return show(result.problems);
      await utils.mailboxes.invalidate();
      notify(`${values.email} is connected`);
      onDone();
    },
  });

  /** Somebody typed other servers than were found: those count. */
  const areTyped = (servers: Servers) => JSON.stringify(servers) !== JSON.stringify(filled);

  /** Those of the form, once they were found or typed; where nobody found any, their fields are refused. */
  const serversOf = async ({ email, servers }: ConnectValues): Promise<Servers> =>
    areTyped(servers) || lookUp.isFor(email) ? servers : findServers(email);

  async function findServers(email: string): Promise<Servers> {
    const found = await lookUp.find(email);
    const servers = serversFor(found.servers, email.trim());
    form.setFieldValue("servers", servers);
    setFilled(servers);
    if (!found.servers && !found.advice) setIsOpen(true);
    return servers;
  }

  function show(found: readonly MailProblem[]) {
    setProblems(found);
    const messages = fieldMessages(found);
    if (Object.keys(messages).some(isOfServers)) setIsOpen(true);
    form.refuseFields(messages);
  }

  /** The address is complete: its servers are asked for while the password is typed. */
  async function lookAhead() {
    const { email, servers } = form.values;
    if (areTyped(servers) || lookUp.isFor(email) || !ADDRESS.test(email.trim())) return;
    try {
      await findServers(email);
    } catch (error) {
      form.setFailure(messageOf(error));
    }
  }

  return { form, problems, isOpen, setIsOpen, found: lookUp.found, isLooking: lookUp.isLooking, lookAhead };
}

function missing({ email, password }: ConnectValues): Record<string, string> {
  return {
    ...(ADDRESS.test(email.trim()) ? {} : { email: "Enter the address of your mailbox, such as name@example.org" }),
    ...(password ? {} : { password: "Enter the password of the mailbox" }),
  };
}

function useLookUp(connected: ConnectedMailbox | null) {
  const lookUp = api.mailboxes.lookUp.useMutation();
  const [known, setKnown] = useState<{ email: string; found: FoundServers | null }>({
    email: connected?.servers ? connected.email : "",
    found: null,
  });
  return {
    found: known.found,
    isLooking: lookUp.isPending,
    isFor: (email: string) => known.email === email.trim().toLowerCase(),
    async find(email: string): Promise<FoundServers> {
      const found = await lookUp.mutateAsync({ email });
      setKnown({ email: email.trim().toLowerCase(), found });
      return found;
    },
  };
}
